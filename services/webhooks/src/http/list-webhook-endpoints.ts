import { listWebhookEndpoints } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { listEndpoints } from '../db/endpoints.ts';
import { toPage } from './page.ts';
import { requirePartnerId } from './partner.ts';
import { presentEndpoint } from './present.ts';

export function listWebhookEndpointsRoute({ pool, cursors }: Context) {
  return route(listWebhookEndpoints, async ({ query, caller }) => {
    const partnerId = requirePartnerId(caller);
    const { cursor, limit } = query;
    const list = { operation: listWebhookEndpoints.id, collection: [partnerId], filters: {} };
    const afterId =
      cursor === undefined ? null : (readCursor(cursors, { ...list, cursor }).sort[0] as string);
    const found = await listEndpoints(pool, { partnerId, afterId, limit: limit + 1 });
    const { rows, pagination } = toPage(found, limit, ({ id }) => cursors.encode({ ...list, sort: [id] }));
    return { data: rows.map(presentEndpoint), pagination };
  });
}
