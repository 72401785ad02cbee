import { z } from 'zod';
import { Count, PlatformId, Timestamp, Uuid } from '../scalars.ts';

export const PromptSource = z.enum(['ui', 'api', 'sync', 'import']).meta({ id: 'PromptSource' });

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

const PromptSyncError = z
  .strictObject({ code: z.string(), message: z.string(), details: z.unknown().optional() })
  .meta({ id: 'PromptSyncError' });

const PromptSyncRow = z
  .strictObject({
    index: Count.nullable().describe(
      'Index of the row in the body; null for a prompt that the body lacks, which is deactivated.',
    ),
    text: z.string(),
    action: z.enum(syncActions).meta({ id: 'PromptSyncAction' }),
    prompt_id: Uuid.nullable(),
    error: PromptSyncError.nullable(),
  })
  .meta({ id: 'PromptSyncRow' });

const PromptSyncSummary = z
  .strictObject({
    total: Count,
    created: Count,
    updated: Count,
    reactivated: Count,
    deactivated: Count,
    unchanged: Count,
    failed: Count,
  })
  .meta({ id: 'PromptSyncSummary' });

export const PromptSyncResult = z
  .strictObject({ results: z.array(PromptSyncRow), summary: PromptSyncSummary })
  .meta({ id: 'PromptSyncResult' });
export type PromptSyncResult = z.infer<typeof PromptSyncResult>;
