import type { ServiceName } from '@bv/contract';
import { postgresUrl, readSettings } from '@bv/settings';
import { z } from 'zod';

export const serviceNames = [
  'gateway',
  'catalog',
  'results',
  'scans',
  'webhooks',
] as const satisfies readonly ServiceName[];

/** Settings of both modes: migrating and waiting. */
const common = {
  SERVICES_DIR: z
    .string()
    .default('services')
    .meta({ description: 'Holds the migrations: `<service>/migrations/NNNN_name.sql`.' }),
  WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .meta({ description: 'Maximum wait for an unreachable database.' }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Minimum log level.' }),
};

const databaseUrlField = (service: ServiceName) =>
  postgresUrl(`DATABASE_URL of the ${service}, as it runs with it: names the role and the database.`);

export const ConfigSchema = z.object({
  GATEWAY_DATABASE_URL: databaseUrlField('gateway'),
  CATALOG_DATABASE_URL: databaseUrlField('catalog'),
  RESULTS_DATABASE_URL: databaseUrlField('results'),
  SCANS_DATABASE_URL: databaseUrlField('scans'),
  WEBHOOKS_DATABASE_URL: databaseUrlField('webhooks'),
  RESULTS_PARTITIONS: z.coerce.number().int().min(1).max(64).default(32).meta({
    description:
      'Partitions of each table of results that grows with every scan. Read by the migration that creates them; has no effect afterwards.',
  }),
  ADMIN_DATABASE_URL: postgresUrl(
    'A role that may create roles and databases. Creates databases, roles with the passwords of the URLs above, and schemas. Without it they must exist.',
  ).optional(),
  WAIT_FOR: z.enum(serviceNames).optional().meta({
    description:
      'Migrates nothing: waits until the schema of this service has all migrations. Needs its DATABASE_URL and none of the URLs above.',
  }),
  ...common,
});

const WaitSchema = z.object({
  WAIT_FOR: z.enum(serviceNames),
  DATABASE_URL: postgresUrl('Postgres, as the role of the service that is waited for.'),
  ...common,
});

type Config = Readonly<z.output<typeof ConfigSchema>>;
type WaitConfig = Readonly<z.output<typeof WaitSchema>>;

/** Throws one error that names every invalid variable, but no value. */
export const readConfig = (): Config | WaitConfig =>
  readSettings('migrate', process.env['WAIT_FOR'] ? WaitSchema : ConfigSchema, process.env);

export function databaseUrls(config: Config): Record<ServiceName, string> {
  return {
    gateway: config.GATEWAY_DATABASE_URL,
    catalog: config.CATALOG_DATABASE_URL,
    results: config.RESULTS_DATABASE_URL,
    scans: config.SCANS_DATABASE_URL,
    webhooks: config.WEBHOOKS_DATABASE_URL,
  };
}
