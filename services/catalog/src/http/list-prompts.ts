import { listPrompts as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { listPrompts, type PromptRow } from '../db/prompts.ts';
import { presentPrompt } from './present.ts';
import { parsePosition, buildPage, parsePage } from './pagination.ts';

const getSortKey = (prompt: PromptRow): string[] => [prompt.created_at, prompt.id];

export const listPromptsRoute = ({ pool, cursors }: Context) =>
  route(operation, async ({ params: { orgId }, query }) => {
    const { cursor, limit, ...sentFilters } = query;
    const sent = { operation: operation.id, collection: [orgId], filters: sentFilters };
    const { filters, sort } = parsePage(cursors, sent, cursor);
    const rows = await listPrompts(pool, {
      orgId,
      brandId: filters.brand_id ?? null,
      active: filters.active === undefined ? null : filters.active === 'true',
      tag: filters.tag ?? null,
      platform: filters.platform ?? null,
      country: filters.country ?? null,
      after: parsePosition(sort),
      limit: limit + 1,
    });
    const page = buildPage(cursors, { ...sent, filters }, { rows, limit, getSortKey });
    return { data: page.rows.map(presentPrompt), pagination: page.pagination };
  });
