import { ApiError, operatorDeleteLink } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { updateLinkRevoked } from '../db/partner-links.ts';
import { publishLink } from '../events/publish.ts';
import type { OperationsContext } from './operations-context.ts';

export const operatorDeleteLinkRoute = ({ pool }: OperationsContext) =>
  route(operatorDeleteLink, async ({ params }) => {
    return transaction(pool, async (tx) => {
      const link = await updateLinkRevoked(tx, params);
      if (link === undefined) throw new ApiError('not_found');
      const data = { id: link.org_id, deleted: true as const };
      return { data, eventIds: [await publishLink(tx, link)] };
    });
  });
