import type { ServiceName } from '@bv/contract';
import { z } from 'zod';

export const serviceNames: readonly ServiceName[] = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];

const urlOf = (service: ServiceName) =>
  z.url({ protocol: /^postgres(ql)?$/ }).meta({
    description: `DATABASE_URL of the ${service}, as it runs with it: names the role and the database.`,
  });

export const ConfigSchema = z.object({
  GATEWAY_DATABASE_URL: urlOf('gateway'),
  CATALOG_DATABASE_URL: urlOf('catalog'),
  RESULTS_DATABASE_URL: urlOf('results'),
  SCANS_DATABASE_URL: urlOf('scans'),
  WEBHOOKS_DATABASE_URL: urlOf('webhooks'),
  ADMIN_DATABASE_URL: z
    .union([z.literal(''), z.url({ protocol: /^postgres(ql)?$/ })])
    .optional()
    .meta({
      description:
        'A role that may create roles and databases: databases, roles with the passwords of the URLs above and schemas are made first. Without it they must be there.',
    }),
  SERVICES_DIR: z
    .string()
    .default('services')
    .meta({ description: 'Holds the migrations: <service>/migrations/NNNN_name.sql.' }),
  WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .meta({ description: 'How long a database that does not answer yet is waited for.' }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Least level that is logged.' }),
});

type Config = Readonly<z.output<typeof ConfigSchema>>;

/** Throws one error that names every bad variable, never its value. */
export function readConfig(): Config {
  const parsed = ConfigSchema.safeParse(process.env);
  if (parsed.success) return Object.freeze(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`configuration of migrate: ${problems.join('; ')}`);
}

export function databaseUrls(config: Config): Record<ServiceName, string> {
  return {
    gateway: config.GATEWAY_DATABASE_URL,
    catalog: config.CATALOG_DATABASE_URL,
    results: config.RESULTS_DATABASE_URL,
    scans: config.SCANS_DATABASE_URL,
    webhooks: config.WEBHOOKS_DATABASE_URL,
  };
}
