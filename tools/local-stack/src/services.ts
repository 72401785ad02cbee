import type { DataStoreId } from './datastores/data-server.ts';
import type { PortPlan } from './port-plan.ts';
import type { Secrets, ServiceName } from './secrets.ts';

export type ServiceProcess = {
  /** Also the name of its log file. */
  name: string;
  script: string;
  env: Record<string, string>;
  /** Returns 200 as soon as the process is ready. */
  readyUrl: string;
};

export type ServiceInputs = {
  secrets: Secrets;
  ports: PortPlan;
  urls: Record<Exclude<DataStoreId, 'postgres'>, string>;
  databaseUrl: (service: ServiceName) => string;
  environment: NodeJS.ProcessEnv;
};

const host = '127.0.0.1';
const local = (port: number): string => `http://${host}:${port}`;

/** Variables that every process inherits from the environment of the stack. */
const inherited =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|LOG_LEVEL|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|SSL_CERT_\w+|(https?|no)_proxy|OTEL_\w+)$/i;

function inheritedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => inherited.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

/** Passes one variable of the stack's environment to a service, if it is set. */
function passThrough(environment: NodeJS.ProcessEnv, name: string): Record<string, string> {
  const value = environment[name];
  return value === undefined ? {} : { [name]: value };
}

function commonEnvironment(service: ServiceName, inputs: ServiceInputs): Record<string, string> {
  const { secrets, urls } = inputs;
  return {
    ...inheritedEnvironment(inputs.environment),
    NODE_ENV: inputs.environment['NODE_ENV'] ?? 'development',
    SERVICE_HOST: host,
    DATABASE_URL: inputs.databaseUrl(service),
    NATS_URL: urls.nats,
    CALLER_SECRETS: secrets.callerSecret,
    CURSOR_KEYS: `1:${secrets.cursorKey}`,
    CHECK_RESPONSES: inputs.environment['CHECK_RESPONSES'] ?? 'true',
  };
}

/** Platforms by the prefix of their variables. The value is the simulator's path with the wire format of the platform. */
const platforms = {
  CHATGPT: 'openai',
  PERPLEXITY: 'perplexity',
  GEMINI: 'gemini',
  CLAUDE: 'anthropic',
  AI_OVERVIEWS: 'serpapi',
};

/** Scans query the real platform if its API key is set, otherwise the simulator. */
function platformEnvironment(environment: NodeJS.ProcessEnv, simulatorPort: number): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [prefix, path] of Object.entries(platforms)) {
    if (!environment[`${prefix}_API_KEY`]) {
      result[`${prefix}_BASE_URL`] = `${local(simulatorPort)}/${path}`;
      result[`${prefix}_API_KEY`] = 'simulator';
      result[`${prefix}_PRICE_PER_ANSWER_USD`] = '0.01';
      if (prefix === 'AI_OVERVIEWS') result['AI_OVERVIEWS_PROVIDER'] = 'serpapi';
      if (prefix === 'PERPLEXITY') result['PERPLEXITY_API'] = 'agent';
      continue;
    }
    for (const [name, value] of Object.entries(environment)) {
      if (name.startsWith(`${prefix}_`) && value) result[name] = value;
    }
  }
  return result;
}

/**
 * The settings of the LLM judge. If any platform is real, a simulated LLM judge must not rate its answers: a real one
 * does, or the lexicon.
 */
function toLlmJudgeEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('SENTIMENT_JUDGE') && value) given[name] = value;
  }
  const { SENTIMENT_JUDGE: choice = 'auto', SENTIMENT_JUDGE_BASE_URL: address } = given;
  const simulated = simulatedPlatforms(environment);
  const isRealOrAllSimulated = !simulated.includes('CHATGPT') || isAllSimulated(environment);
  if (choice !== 'auto' || address !== undefined || isRealOrAllSimulated) return given;
  return { ...given, SENTIMENT_JUDGE: simulated.includes('GEMINI') ? 'off' : 'gemini' };
}

export function simulatedPlatforms(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(platforms).filter((prefix) => !environment[`${prefix}_API_KEY`]);
}

export const isAllSimulated = (environment: NodeJS.ProcessEnv): boolean =>
  simulatedPlatforms(environment).length === Object.keys(platforms).length;

/** Lists every process of the product with its script and environment. */
export function planServices(inputs: ServiceInputs): ServiceProcess[] {
  const { ports } = inputs;
  return [
    simulatorProcess(inputs),
    serviceProcess(inputs, 'catalog', 'catalog', ports.catalog, passThrough(inputs.environment, 'MARKETS')),
    serviceProcess(inputs, 'results', 'results', ports.results),
    serviceProcess(inputs, 'scans', 'scans', ports.scans, {
      ...passThrough(inputs.environment, 'UNIT_LEASE_MS'),
      ...passThrough(inputs.environment, 'SCHEDULE_INTERVAL_MS'),
      ...platformEnvironment(inputs.environment, ports.simulator),
      ...toLlmJudgeEnvironment(inputs.environment),
    }),
    webhooksProcess(inputs, 'api', ports.webhooks),
    webhooksProcess(inputs, 'dispatcher', ports.dispatcher),
    gatewayProcess(inputs),
  ];
}

function simulatorProcess({ ports, environment }: ServiceInputs): ServiceProcess {
  return {
    name: 'simulator',
    script: 'tools/platform-simulator/src/main.ts',
    env: {
      ...inheritedEnvironment(environment),
      SIMULATOR_PORT: String(ports.simulator),
      ...passThrough(environment, 'SIMULATOR_DAY'),
      OTEL_SERVICE_NAME: 'simulator',
    },
    readyUrl: `${local(ports.simulator)}/healthz`,
  };
}

function serviceProcess(
  inputs: ServiceInputs,
  service: ServiceName,
  name: string,
  { port, monitoring }: { port: number; monitoring: number },
  env: Record<string, string> = {},
): ServiceProcess {
  return {
    name,
    script: `services/${service}/src/main.ts`,
    env: {
      ...commonEnvironment(service, inputs),
      PORT: String(port),
      MONITORING_PORT: String(monitoring),
      OTEL_SERVICE_NAME: name,
      ...env,
    },
    readyUrl: `${local(monitoring)}/readyz`,
  };
}

/** Only the local stack allows webhook receivers on this machine over plain HTTP. */
function webhooksProcess(
  inputs: ServiceInputs,
  role: 'api' | 'dispatcher',
  ports: { port: number; monitoring: number },
): ServiceProcess {
  return serviceProcess(inputs, 'webhooks', `webhooks-${role}`, ports, {
    ...passThrough(inputs.environment, 'WEBHOOKS_DNS_SERVERS'),
    ...passThrough(inputs.environment, 'WEBHOOKS_TOTAL_TIMEOUT_MS'),
    ...passThrough(inputs.environment, 'WEBHOOKS_LEASE_MS'),
    ROLE: role,
    WEBHOOKS_SECRET_KEYS: `1:${inputs.secrets.webhooksSecretKey}`,
    WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOKS_ALLOW_HTTP: 'true',
  });
}

function gatewayProcess(inputs: ServiceInputs): ServiceProcess {
  const { ports, secrets, urls } = inputs;
  return serviceProcess(inputs, 'gateway', 'gateway', ports.gateway, {
    ...passThrough(inputs.environment, 'EXPLORER_PATH'),
    ...passThrough(inputs.environment, 'FAILED_ATTEMPTS_PER_MINUTE'),
    ...passThrough(inputs.environment, 'REDIS_TIMEOUT_MS'),
    ...passThrough(inputs.environment, 'UPSTREAM_TIMEOUT_MS'),
    ...passThrough(inputs.environment, 'IDEMPOTENCY_LEASE_MS'),
    OPERATOR_PORT: String(ports.operator),
    OPERATOR_TOKEN: secrets.operatorToken,
    REDIS_URL: urls.redis,
    KEY_PEPPERS: `1:${secrets.keyPepper}`,
    IDEMPOTENCY_KEYS: `1:${secrets.idempotencyKey}`,
    CATALOG_URL: local(ports.catalog.port),
    RESULTS_URL: local(ports.results.port),
    SCANS_URL: local(ports.scans.port),
    WEBHOOKS_URL: local(ports.webhooks.port),
    TRUSTED_PROXY_COUNT: '0',
  });
}
