import { ApiError, operatorPutLink } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { ensureOrg } from '../commands/ensure-org.ts';
import { lockOrgAccess } from '../db/org-access.ts';
import { upsertLink } from '../db/partner-links.ts';
import { findPartner } from '../db/partners.ts';
import { publishLink } from '../events/publish.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentPartnerLink } from './present.ts';

export const operatorPutLinkRoute = (context: OperationsContext) =>
  route(operatorPutLink, async ({ params, body }) => {
    const { pool } = context;
    if ((await findPartner(pool, params.partnerId)) === undefined) throw new ApiError('not_found');
    await ensureOrg(context, params.orgId);
    return transaction(pool, async (tx) => {
      const org = await lockOrgAccess(tx, params.orgId);
      if (org === undefined || org.deleted) throw new ApiError('not_found');
      const link = await upsertLink(tx, { ...params, scope: body.scope, externalRef: body.external_ref });
      return { data: presentPartnerLink(link), eventIds: [await publishLink(tx, link)] };
    });
  });
