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
  operatorListOrgKeysRoute,
  operatorListPartnerKeysRoute,
  operatorListUsageRoute,
  operatorRevokeKeyRoute,
} from './operator-keys.ts';
import { operatorDeleteLinkRoute, operatorPutLinkRoute } from './operator-links.ts';
import { operatorCreatePartnerRoute, operatorUpdatePartnerRoute } from './operator-partners.ts';
import { listOrgsRoute, updateLinkRoute } from './orgs.ts';

/** The gateway's own operations. The edge calls them like those of any service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    getKeyRoute(ctx),
    listOrgsRoute(ctx),
    updateLinkRoute(ctx),
    operatorCreateOrgKeyRoute(ctx),
    operatorListOrgKeysRoute(ctx),
    operatorCreatePartnerRoute(ctx),
    operatorUpdatePartnerRoute(ctx),
    operatorCreatePartnerKeyRoute(ctx),
    operatorListPartnerKeysRoute(ctx),
    operatorPutLinkRoute(ctx),
    operatorDeleteLinkRoute(ctx),
    operatorRevokeKeyRoute(ctx),
    operatorListUsageRoute(ctx),
    operatorListDeadEventsRoute(ctx),
    operatorGetDeadEventRoute(ctx),
    operatorRedriveDeadEventRoute(ctx),
    operatorDismissDeadEventRoute(ctx),
    operatorRepublishEventsRoute(ctx),
  ];
}
