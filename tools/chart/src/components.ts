import { platformIds, type ServiceName } from '@bv/contract';

/** Components by their key in the values: the service, and the variables that the chart sets itself. */
export const components: Record<string, { service: ServiceName; name: string; decided: readonly string[] }> =
  {
    gateway: {
      service: 'gateway',
      name: 'gateway',
      decided: [
        'OPERATOR_PORT',
        'CATALOG_URL',
        'RESULTS_URL',
        'SCANS_URL',
        'WEBHOOKS_URL',
        'OPENAPI_PATH',
        'DOCS_PATH',
        'EXPLORER_PATH',
      ],
    },
    catalog: { service: 'catalog', name: 'catalog', decided: [] },
    results: { service: 'results', name: 'results', decided: [] },
    scans: { service: 'scans', name: 'scans', decided: ['WORKER_CONCURRENCY'] },
    scansWorker: { service: 'scans', name: 'scans-worker', decided: ['SCHEDULE_INTERVAL_MS'] },
    webhooks: { service: 'webhooks', name: 'webhooks', decided: ['ROLE'] },
    webhooksDispatcher: { service: 'webhooks', name: 'webhooks-dispatcher', decided: ['ROLE'] },
  };

/** Set by the chart or the image for every component and the migration. */
const decidedForAll = ['PORT', 'MONITORING_PORT', 'NATS_CREDS_FILE', 'NODE_ENV', 'SERVICES_DIR', 'WAIT_FOR'];

const each = (suffix: string, names: readonly string[]): string[] =>
  names.map((name) => `${name.toUpperCase()}_${suffix}`);

/** The variables of the Secret of each group. */
export const secretsOf = {
  postgres: each('DATABASE_URL', [
    'admin',
    ...new Set(Object.values(components).map(({ service }) => service)),
  ]),
  redis: ['REDIS_URL', 'REDIS_SENTINELS'],
  nats: ['NATS_URL'],
  secrets: [
    'CALLER_SECRETS',
    'CURSOR_KEYS',
    'KEY_PEPPERS',
    'IDEMPOTENCY_KEYS',
    'WEBHOOKS_SECRET_KEYS',
    'OPERATOR_TOKEN',
  ],
  platforms: each('API_KEY', [...platformIds, 'sentiment_judge']),
};
const secrets = new Set(['DATABASE_URL', ...Object.values(secretsOf).flat()]);

export const isSecret = (variable: string): boolean => secrets.has(variable);

/** Whether `config` of that component may set the variable. */
export const isSettable = (values: string, variable: string): boolean =>
  !isSecret(variable) && !decidedForAll.includes(variable) && !components[values]?.decided.includes(variable);
