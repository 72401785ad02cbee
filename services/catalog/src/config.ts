import { defaultMarkets } from '@bv/contract';
import { numberedKeyRing, serviceFields, splitList } from '@bv/service';
import { readSettings, subject } from '@bv/settings';
import { z } from 'zod';

const Markets = z
  .string()
  .transform(splitList)
  .pipe(z.array(z.string().regex(/^[A-Z]{2}$/, 'expected two upper-case letters')).min(1));

/** The environment of this service. */
export const ConfigSchema = z.object({
  ...serviceFields({ port: 8081, monitoringPort: 9081, poolSize: 10 }),
  ...subject('Keys', {
    CURSOR_KEYS: numberedKeyRing(
      'Keys of the cursors, `id:base64` of 32 bytes, separated by commas; the first encrypts.',
    ),
  }),
  ...subject('Markets', {
    MARKETS: Markets.prefault(defaultMarkets.join(',')).meta({
      description: 'Countries that are scanned (ISO 3166-1 alpha-2), separated by commas.',
      form: 'countries',
    }),
  }),
});

export type Config = Readonly<z.infer<typeof ConfigSchema>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config =>
  readSettings('catalog', ConfigSchema, env);
