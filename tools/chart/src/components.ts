import type { ServiceName } from '@bv/contract';

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

/** Set by the chart for every component. */
const decidedForAll = ['PORT', 'MONITORING_PORT', 'NATS_CREDS_FILE', 'NODE_ENV'];

/** Set only from Secrets. */
export const secret =
  /^(\w*DATABASE_URL|NATS_URL|REDIS_URL|REDIS_SENTINELS|CALLER_SECRETS|OPERATOR_TOKEN|\w+_API_KEY|CURSOR_KEYS|KEY_PEPPERS|IDEMPOTENCY_KEYS|WEBHOOKS_SECRET_KEYS)$/;

export const isSecret = (variable: string): boolean => secret.test(variable);

/** Whether `config` of that component may set the variable. */
export const isSettable = (values: string, variable: string): boolean =>
  !isSecret(variable) && !decidedForAll.includes(variable) && !components[values]?.decided.includes(variable);
