import { ApiError, operatorListPartnerKeys } from '@bv/contract';
import { route } from '@bv/http';
import { listPartnerKeys } from '../db/api-keys.ts';
import { findPartner } from '../db/partners.ts';
import type { OperationsContext } from './operations-context.ts';
import { parseAfterId, buildPage } from './page.ts';
import { presentApiKey } from './present.ts';

export const operatorListPartnerKeysRoute = ({ pool, cursors }: OperationsContext) =>
  route(operatorListPartnerKeys, async ({ params, query: { cursor, limit } }) => {
    const collection = { operation: operatorListPartnerKeys.id, collection: [params.partnerId] };
    const afterId = parseAfterId(cursors, cursor, collection);
    if ((await findPartner(pool, params.partnerId)) === undefined) throw new ApiError('not_found');
    const found = await listPartnerKeys(pool, { ownerId: params.partnerId, afterId, limit: limit + 1 });
    const page = { rows: found, limit, getId: (row: { id: string }) => row.id };
    const { rows, pagination } = buildPage(cursors, collection, page);
    return { data: rows.map(presentApiKey), pagination };
  });
