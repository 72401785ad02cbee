import { operatorListOrgKeys } from '@bv/contract';
import { route } from '@bv/http';
import { ensureOrg } from '../commands/ensure-org.ts';
import { listOrgKeys } from '../db/api-keys.ts';
import type { OperationsContext } from './operations-context.ts';
import { parseAfterId, buildPage } from './page.ts';
import { presentApiKey } from './present.ts';

export const operatorListOrgKeysRoute = (context: OperationsContext) =>
  route(operatorListOrgKeys, async ({ params, query: { cursor, limit } }) => {
    const collection = { operation: operatorListOrgKeys.id, collection: [params.orgId] };
    const afterId = parseAfterId(context.cursors, cursor, collection);
    await ensureOrg(context, params.orgId);
    const found = await listOrgKeys(context.pool, { ownerId: params.orgId, afterId, limit: limit + 1 });
    const page = { rows: found, limit, getId: (row: { id: string }) => row.id };
    const { rows, pagination } = buildPage(context.cursors, collection, page);
    return { data: rows.map(presentApiKey), pagination };
  });
