import { integer, numberedKeyRing, readConfig as read, serviceFields } from '@bv/service';
import { z } from 'zod';

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8082, monitoringPort: 9082, poolSize: 10 }),
  CURSOR_KEYS: numberedKeyRing(
    'Cursor keys as id:base64 of 32 bytes, separated by commas; the first encrypts.',
  ),
  REPROCESS_SHARE_PERCENT: integer(
    25,
    'Share of the time that a process spends on reprocess jobs while there are any; 0 turns them off in it.',
    { max: 100 },
  ),
  REPROCESS_LEASE_MS: integer(
    30_000,
    'Lease of a reprocess job without a heartbeat; then another worker takes it.',
    { min: 500, max: 600_000 },
  ),
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  read('results', ConfigSchema, env);
