import { z } from 'zod';
import { Count, PlatformId, Timestamp, Uuid } from '../scalars.ts';

export const PromptSource = z.enum(['ui', 'api', 'sync', 'import']);

export const Prompt = z
  .strictObject({
    id: Uuid,
    brand_id: Uuid,
    text: z.string(),
    tags: z.array(z.string()),
    countries: z.array(z.string()),
    platforms: z.array(PlatformId),
    active: z.boolean(),
    source: PromptSource,
    created_by_key_id: Uuid.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
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

export const PromptSyncResult = z
  .strictObject({
    results: z.array(
      z.strictObject({
        index: Count.nullable().describe(
          'Index of the row in the body; null for a prompt that the body lacks, which is deactivated.',
        ),
        text: z.string(),
        action: z.enum(syncActions),
        prompt_id: Uuid.nullable(),
        error: z
          .strictObject({ code: z.string(), message: z.string(), details: z.unknown().optional() })
          .nullable(),
      }),
    ),
    summary: z.strictObject({
      total: Count,
      created: Count,
      updated: Count,
      reactivated: Count,
      deactivated: Count,
      unchanged: Count,
      failed: Count,
    }),
  })
  .meta({ id: 'PromptSyncResult' });
export type PromptSyncResult = z.infer<typeof PromptSyncResult>;
