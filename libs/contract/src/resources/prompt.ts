import { z } from 'zod';
import { Count, PlatformId, Timestamp, Uuid } from '../scalars.ts';

export const PromptSource = z.enum(['ui', 'api', 'sync', 'import']).meta({ id: 'PromptSource' });

export const Prompt = z
  .strictObject({
    id: Uuid.describe('Id of the prompt.'),
    brand_id: Uuid.describe('Id of its own brand.'),
    text: z.string().describe('Text that is put to the platforms. It never changes.'),
    tags: z.array(z.string()).describe('Labels of the prompt, in the order sent.'),
    countries: z.array(z.string()).describe('Markets in which the prompt is put, ISO 3166-1 alpha-2.'),
    platforms: z.array(PlatformId).describe('AI platforms that the prompt is put to.'),
    active: z
      .boolean()
      .describe('Whether scans include the prompt. Only active prompts count towards the limits.'),
    source: PromptSource.describe(
      'How the prompt was created: `api` by createPrompt, `sync` by syncPrompts. `ui` and `import` are reserved for other ways.',
    ),
    created_by_key_id: Uuid.nullable().describe(
      'Id of the key that created the prompt; null if no API key did.',
    ),
    created_at: Timestamp.describe('When the prompt was created.'),
    updated_at: Timestamp.describe('When the prompt last changed.'),
  })
  .meta({ id: 'Prompt' });
export type Prompt = z.infer<typeof Prompt>;

export const syncActions = [
  'created',
  'updated',
  'reactivated',
  'deactivated',
  'unchanged',
  'failed',
] as const;

const PromptSyncError = z
  .strictObject({
    code: z.string().describe('Error code, such as `prompt_cap_exceeded` or `prompt_writes_busy`.'),
    message: z.string().describe('For people. The wording may change.'),
    details: z.unknown().optional().describe('As in the error of the same code; may be absent.'),
  })
  .meta({ id: 'PromptSyncError' });

const PromptSyncRow = z
  .strictObject({
    index: Count.nullable().describe(
      'Index of the row in the body, from 0. null for a prompt that the body lacks.',
    ),
    text: z.string().describe('Text of the prompt.'),
    action: z
      .enum(syncActions)
      .meta({ id: 'PromptSyncAction' })
      .describe(
        '`created`. `updated`: fields of an active prompt changed. `reactivated`: an inactive one is active again. `deactivated`: it is inactive from now on. `unchanged`: it was as described. `failed`: see `error`.',
      ),
    prompt_id: Uuid.nullable().describe('Id of the prompt; null if its row failed before a prompt existed.'),
    error: PromptSyncError.nullable().describe('Why the row failed; null otherwise.'),
  })
  .meta({ id: 'PromptSyncRow' });

const PromptSyncSummary = z
  .strictObject({
    total: Count.describe('Number of results.'),
    created: Count.describe('Prompts that were created.'),
    updated: Count.describe('Active prompts that were changed.'),
    reactivated: Count.describe('Inactive prompts that became active.'),
    deactivated: Count.describe('Prompts that became inactive.'),
    unchanged: Count.describe('Prompts that were already as described.'),
    failed: Count.describe('Rows that failed. Their `error` says why.'),
  })
  .meta({ id: 'PromptSyncSummary' });

export const PromptSyncResult = z
  .strictObject({
    results: z
      .array(PromptSyncRow)
      .describe(
        'First the prompts that the body lacks, if any, then one result for each row of the body, in its order.',
      ),
    summary: PromptSyncSummary.describe(
      'Number of results by action. Read `failed`: the status is 200 also with failed rows.',
    ),
  })
  .meta({ id: 'PromptSyncResult' });
export type PromptSyncResult = z.infer<typeof PromptSyncResult>;
