import { operatorListUsage } from '@bv/contract';
import type { KeyUsage } from '@bv/contract';
import { route } from '@bv/http';
import { getMonth, listUsage } from '../db/api-keys.ts';
import type { UsageRow } from '../db/api-keys.ts';
import { monthText } from '../domain/quota.ts';
import type { OperationsContext } from './operations-context.ts';
import { parseAfterId, buildPage } from './page.ts';

export const operatorListUsageRoute = ({ pool, cursors, usage }: OperationsContext) =>
  route(operatorListUsage, async ({ query: { cursor, limit } }) => {
    const collection = { operation: operatorListUsage.id, collection: [] };
    const afterId = parseAfterId(cursors, cursor, collection);
    // Includes requests that this gateway has counted but not written yet.
    await usage.flush();
    const month = await getMonth(pool);
    const found = await listUsage(pool, { month, afterId, limit: limit + 1 });
    const page = { rows: found, limit, getId: (row: { id: string }) => row.id };
    const { rows, pagination } = buildPage(cursors, collection, page);
    return { data: rows.map((row) => presentUsage(row, month)), pagination };
  });

function presentUsage(row: UsageRow, month: number): KeyUsage {
  const owner =
    row.org_id === null
      ? { owner_kind: 'partner' as const, owner_id: row.partner_id ?? '' }
      : { owner_kind: 'organisation' as const, owner_id: row.org_id };
  return {
    key_id: row.id,
    key_prefix: row.key_prefix,
    ...owner,
    month: monthText(month),
    used: row.used,
    quota: row.monthly_quota,
  };
}
