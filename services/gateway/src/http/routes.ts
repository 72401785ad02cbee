import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { getKeyRoute } from './key.ts';
import {
  operatorDismissDeadEventRoute,
  operatorGetDeadEventRoute,
  operatorListDeadEventsRoute,
  operatorRedriveDeadEventRoute,
  operatorRepublishEventsRoute,
} from './operator-events.ts';
import {
  operatorCreateOrgKeyRoute,
  operatorCreatePartnerKeyRoute,
  operatorGetKeyRoute,
  operatorListOrgKeysRoute,
  operatorListPartnerKeysRoute,
  operatorRevokeKeyRoute,
} from './operator-keys.ts';
import {
  operatorDeleteLinkRoute,
  operatorListOrgLinksRoute,
  operatorListPartnerLinksRoute,
  operatorPutLinkRoute,
} from './operator-links.ts';
import {
  operatorCreatePartnerRoute,
  operatorGetPartnerRoute,
  operatorListPartnersRoute,
  operatorUpdatePartnerRoute,
} from './operator-partners.ts';
import { operatorGetOrgPurgeRoute } from './operator-org-purges.ts';
import { operatorGetStatusRoute } from './operator-status.ts';
import { operatorListUsageRoute } from './operator-usage.ts';
import { listOrgsRoute, updateLinkRoute } from './orgs.ts';

/** The gateway's own operations. The edge calls them like those of any service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    getKeyRoute(ctx),
    listOrgsRoute(ctx),
    updateLinkRoute(ctx),
    operatorCreateOrgKeyRoute(ctx),
    operatorListOrgKeysRoute(ctx),
    operatorListOrgLinksRoute(ctx),
    operatorCreatePartnerRoute(ctx),
    operatorListPartnersRoute(ctx),
    operatorGetPartnerRoute(ctx),
    operatorUpdatePartnerRoute(ctx),
    operatorCreatePartnerKeyRoute(ctx),
    operatorListPartnerKeysRoute(ctx),
    operatorListPartnerLinksRoute(ctx),
    operatorPutLinkRoute(ctx),
    operatorDeleteLinkRoute(ctx),
    operatorGetKeyRoute(ctx),
    operatorRevokeKeyRoute(ctx),
    operatorListUsageRoute(ctx),
    operatorListDeadEventsRoute(ctx),
    operatorGetDeadEventRoute(ctx),
    operatorRedriveDeadEventRoute(ctx),
    operatorDismissDeadEventRoute(ctx),
    operatorRepublishEventsRoute(ctx),
    operatorGetOrgPurgeRoute(ctx),
    operatorGetStatusRoute(ctx),
  ];
}
