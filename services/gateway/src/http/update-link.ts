import { ApiError, updateLink } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { findOrgAccess } from '../db/org-access.ts';
import { updateLinkExternalRef } from '../db/partner-links.ts';
import { publishLink } from '../events/publish.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentLinkedOrg } from './present.ts';

export const updateLinkRoute = ({ pool }: OperationsContext) =>
  route(updateLink, async ({ params, body, caller }) => {
    return runOnce(pool, caller, updateLink, async (tx) => {
      const id = { partnerId: caller.owner.id, orgId: params.orgId };
      const link = await updateLinkExternalRef(tx, id, body.external_ref);
      const org = await findOrgAccess(tx, params.orgId);
      // The link was revoked after the edge had checked the request.
      if (link === undefined || org === undefined || org.deleted) throw new ApiError('not_found');
      await publishLink(tx, link);
      return { data: presentLinkedOrg({ ...org, scope: link.scope, external_ref: link.external_ref }) };
    });
  });
