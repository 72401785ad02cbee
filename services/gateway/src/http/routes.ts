import type { Route } from '@bv/http';
import { listOrgsRoute } from './list-orgs.ts';
import type { OperationsContext } from './operations-context.ts';
import { operatorCreateOrgKeyRoute } from './operator-create-org-key.ts';
import { operatorCreatePartnerKeyRoute } from './operator-create-partner-key.ts';
import { operatorCreatePartnerRoute } from './operator-create-partner.ts';
import { operatorDeleteLinkRoute } from './operator-delete-link.ts';
import { operatorDismissDeadEventRoute } from './operator-dismiss-dead-event.ts';
import { operatorGetDeadEventRoute } from './operator-get-dead-event.ts';
import { operatorListDeadEventsRoute } from './operator-list-dead-events.ts';
import { operatorListOrgKeysRoute } from './operator-list-org-keys.ts';
import { operatorListPartnerKeysRoute } from './operator-list-partner-keys.ts';
import { operatorListUsageRoute } from './operator-list-usage.ts';
import { operatorPutLinkRoute } from './operator-put-link.ts';
import { operatorRedriveDeadEventRoute } from './operator-redrive-dead-event.ts';
import { operatorRepublishEventsRoute } from './operator-republish-events.ts';
import { operatorRevokeKeyRoute } from './operator-revoke-key.ts';
import { operatorUpdatePartnerRoute } from './operator-update-partner.ts';
import { updateLinkRoute } from './update-link.ts';

/** The gateway's own operations. The edge calls them like those of any service. */
export const createRoutes = (context: OperationsContext): Route[] => [
  listOrgsRoute(context),
  updateLinkRoute(context),
  operatorCreateOrgKeyRoute(context),
  operatorListOrgKeysRoute(context),
  operatorCreatePartnerRoute(context),
  operatorUpdatePartnerRoute(context),
  operatorCreatePartnerKeyRoute(context),
  operatorListPartnerKeysRoute(context),
  operatorPutLinkRoute(context),
  operatorDeleteLinkRoute(context),
  operatorRevokeKeyRoute(context),
  operatorListUsageRoute(context),
  operatorListDeadEventsRoute(context),
  operatorGetDeadEventRoute(context),
  operatorRedriveDeadEventRoute(context),
  operatorDismissDeadEventRoute(context),
  operatorRepublishEventsRoute(context),
];
