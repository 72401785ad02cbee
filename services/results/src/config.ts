import { minRetentionDays } from '@bv/contract';
import { integer, milliseconds, numberedKeyRing, serviceFields } from '@bv/service';
import { readSettings, subject } from '@bv/settings';
import { z } from 'zod';

const maxRetentionDays = 36_500;

const retentionDays = (description: string) =>
  integer(0, description, { max: maxRetentionDays })
    .refine((days) => days === 0 || days >= minRetentionDays, {
      message: `expected 0 or at least ${minRetentionDays}`,
    })
    .meta({ allowed: `0, or ${minRetentionDays} to ${maxRetentionDays}` });

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8082, monitoringPort: 9082, poolSize: 10 }),
  ...subject('Keys', {
    CURSOR_KEYS: numberedKeyRing(
      'Keys of the cursors, `id:base64` of 32 bytes, separated by commas; the first encrypts.',
    ),
  }),
  ...subject('Retention', {
    RESULTS_ANSWER_TEXT_DAYS: retentionDays(
      'Days that texts of answers are kept; 0 keeps them forever. An organisation can have its own.',
    ),
    RESULTS_UNIT_DAYS: retentionDays(
      'Days that units are kept, which are mentions and results of prompts; 0 keeps them forever. Scores stay. An organisation can have its own.',
    ),
  }),
  ...subject('Reprocess jobs', {
    REPROCESS_SHARE_PERCENT: integer(
      25,
      'Share of the time that a process spends on reprocess jobs while there are any; 0 turns them off in it.',
      { max: 100 },
    ),
    REPROCESS_LEASE_MS: milliseconds(
      30_000,
      'Lease of a reprocess job without a heartbeat; then another worker takes it.',
      { min: 500, max: 600_000 },
    ),
  }),
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  readSettings('results', ConfigSchema, env);
