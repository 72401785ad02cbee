import { listPrompts, Prompt, PromptSyncResult, requestScan, ScanRequest, syncPrompts } from '@bv/contract';
import { z } from 'zod';
import { brandId, idempotencyKey, maxRows, orgId, toBrandParams } from '../arguments.ts';
import { hasMore, pick, select } from '../fields.ts';
import { defineTool } from '../tool.ts';

const PromptRow = pick(Prompt, 'id', 'brand_id', 'text', 'tags', 'countries', 'platforms', 'active');
const promptQuery = listPrompts.query.shape;

export const listPromptsTool = defineTool({
  name: 'list_prompts',
  title: 'Prompts',
  description: 'Prompts that are put to the AI platforms for a brand.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    active: z.boolean().optional(),
    tag: promptQuery.tag,
    max_rows: maxRows(1_000, 50),
  }),
  output: z.object({ prompts: z.array(PromptRow), has_more: hasMore }),
  run: async (calls, { org_id, max_rows, ...query }) => {
    const { rows, has_more } = await calls.list(
      listPrompts,
      { params: { orgId: org_id }, query },
      max_rows,
      (row) => select(PromptRow, row),
    );
    return { prompts: rows, has_more };
  },
});

export const requestScanTool = defineTool({
  name: 'request_scan',
  title: 'Request a scan',
  description:
    'Starts a measurement of all active prompts of a brand. Uses a manual scan of the month, then a scan credit: ask the user first. Results arrive over minutes.',
  input: z.strictObject({ org_id: orgId, brand_id: brandId, idempotency_key: idempotencyKey }),
  isOpenWorld: true,
  output: pick(ScanRequest, 'job_id', 'status', 'idempotency_key'),
  writes: { destructive: false, idempotent: false },
  run: async (calls, { idempotency_key: key, ...brand }) =>
    calls.call(requestScan, { params: toBrandParams(brand), idempotencyKey: key }),
});

const syncBody = syncPrompts.body.shape;

export const updatePromptsTool = defineTool({
  name: 'update_prompts',
  title: 'Update prompts',
  description:
    'Creates, changes, activates or deactivates prompts of a brand by their text. Fields that a prompt omits stay. Ask the user first: active prompts count towards the plan.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    prompts: syncBody.prompts.describe('Prompts to create or change.'),
    deactivate_missing: z
      .boolean()
      .default(false)
      .describe('true also deactivates every active prompt of the brand that `prompts` lacks.'),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    summary: PromptSyncResult.shape.summary,
    results: z.array(pick(PromptSyncResult.shape.results.element, 'text', 'action', 'prompt_id', 'error')),
  }),
  writes: { destructive: true, idempotent: true },
  run: async (calls, { idempotency_key: key, prompts, deactivate_missing, ...brand }) => {
    const body = { prompts, deactivate_missing };
    const params = toBrandParams(brand);
    const { summary, results } = await calls.call(syncPrompts, { params, body, idempotencyKey: key });
    const failedFirst = results.toSorted((a, b) => Number(b.error !== null) - Number(a.error !== null));
    const rows = failedFirst.map(({ text, action, prompt_id, error }) => ({
      text,
      action,
      prompt_id,
      error,
    }));
    return { summary, results: calls.fit(rows) };
  },
});
