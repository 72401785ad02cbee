import { numberedKeyRing, readConfig as read, serviceFields } from '@bv/service';
import { z } from 'zod';

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8082, monitoringPort: 9082, poolSize: 10 }),
  CURSOR_KEYS: numberedKeyRing(
    'Cursor keys as id:base64 of 32 bytes, separated by commas; the first encrypts.',
  ),
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  read('results', ConfigSchema, env);
