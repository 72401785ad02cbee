import { operatorListUsage } from '@bv/contract';
import type { KeyUsage } from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import type { Context } from '../context.ts';
import { getMonth, listUsage } from '../db/usage.ts';
import type { UsageRow } from '../db/usage.ts';
import { monthText, parseMonth } from '../domain/quota.ts';
import { presentKeyOwner } from './present.ts';

export function operatorListUsageRoute({ pool, cursors, usage }: Context): Route {
  return route(operatorListUsage, async ({ query: { cursor, limit, ...sent } }) => {
    // Every page is of the month of the first, also after the month has ended.
    const current = monthText(await getMonth(pool));
    const filters = cursor === undefined ? { ...sent, month: sent.month ?? current } : sent;
    const list = { operation: operatorListUsage.id, collection: [], filters };
    const page = parsePage(cursors, list, { cursor, limit });
    const { month = current, org_id, partner_id, key_name, used } = page.filters;
    // Includes requests that this gateway has counted but not written yet.
    await usage.flush();
    const rows = await listUsage(pool, {
      month: parseMonth(month),
      orgId: org_id ?? null,
      partnerId: partner_id ?? null,
      keyName: key_name ?? null,
      hasUse: used === undefined ? null : used === 'true',
      afterId: toIdPosition(page),
      limit: page.limit + 1,
    });
    const present = (row: UsageRow): KeyUsage => presentUsage(row, month);
    return buildPage(cursors, page, { rows, toSortKey: ({ id }) => [id], present });
  });
}

function presentUsage(row: UsageRow, month: string): KeyUsage {
  return {
    key_id: row.id,
    key_prefix: row.key_prefix,
    key_name: row.name,
    ...presentKeyOwner(row),
    month,
    used: row.used,
    quota: row.monthly_quota,
  };
}
