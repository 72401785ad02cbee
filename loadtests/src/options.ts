import { parseArgs } from 'node:util';
import { baseUrl } from '@bv/settings';
import { scenarios, type Scenario, type ScenarioName } from './scenarios.ts';

export type Options = {
  scenario: ScenarioName;
  environment: 'local' | 'compose' | 'cluster';
  baseUrls: string[];
  operatorUrl: string;
  operatorToken: string;
  /** Monitoring URLs of the services, to count the requests that they got. */
  monitoring: string[];
  gateways: number;
  seconds: number;
  size: number;
  keys: number;
  /** Checks responses and prints no figures, so that other load does not matter. */
  onlyCorrectness: boolean;
};

const usage = `pnpm load <${Object.keys(scenarios).join(' | ')}> [options]

--env local|compose|cluster   local (default) starts its own stack
--base-url <url,...>          address of every gateway with /v1 (compose, cluster)
--operator-url <url>          operator API (/operator/v1); its token is OPERATOR_TOKEN
--monitoring <url,...>        monitoring addresses: of all services for 'limiter', to count the requests they got;
                                of all processes for 'soak', to sample their memory
  --gateways <n>                processes to start locally (2)
--seconds <n>  --size <n>     duration; requests per second or number of users
--keys <n>                    number of keys used at once (limiter)
--only-correctness            check responses and print no figures, for a busy machine`;

/** Default addresses: ports forwarded from a cluster, or published by compose.yaml. */
const defaults = { baseUrl: 'http://127.0.0.1:8080/v1', operatorUrl: 'http://127.0.0.1:8090/operator/v1' };

/** Minimum for enough memory samples in each third. */
const minSteadySeconds = 60;

function parseCount(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a positive integer\n\n${usage}`);
  return value;
}

const address = baseUrl('An address of the product.');

function parseAddress(option: string, text: string): string {
  const checked = address.safeParse(text);
  if (checked.success) return checked.data;
  throw new Error(`--${option}: ${checked.error.issues[0]?.message}\n\n${usage}`);
}

const parseAddresses = (option: string, text: string): string[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => parseAddress(option, part));

/** Throws an error with the usage when the arguments are invalid. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parse(args);
  const [name = ''] = positionals;
  if (!isScenario(name)) throw new Error(`Name a scenario.\n\n${usage}`);
  const scenario: Scenario = scenarios[name];
  const target = parseEnvironment(values, environment['OPERATOR_TOKEN'] ?? '');
  if (scenario.ownAddresses === true && target.environment !== 'local')
    throw new Error(`${name} runs only locally: elsewhere all its users would have one address`);
  const seconds = parseCount(values.seconds, scenario.seconds);
  if (scenario.steady === true && seconds < minSteadySeconds)
    throw new Error(
      `${name} takes at least ${minSteadySeconds} s, because it compares its last third with its second`,
    );
  const monitoring = parseAddresses('monitoring', values.monitoring ?? '');
  const needsMetrics = scenario.steady === true || scenario.expected.includes(429);
  if (needsMetrics && target.environment !== 'local' && monitoring.length === 0)
    throw new Error(`${name} needs --monitoring, because it reads metrics\n\n${usage}`);
  return {
    ...target,
    scenario: name,
    monitoring,
    gateways: parseCount(values.gateways, 2),
    seconds,
    size: parseCount(values.size, scenario.size),
    keys: parseCount(values.keys, 200),
    onlyCorrectness: values['only-correctness'],
  };
}

type Values = ReturnType<typeof parse>['values'];

function parseEnvironment(
  values: Values,
  operatorToken: string,
): Pick<Options, 'environment' | 'baseUrls' | 'operatorUrl' | 'operatorToken'> {
  const environment = values.env;
  if (environment === 'local') return { environment, baseUrls: [], operatorUrl: '', operatorToken };
  if (environment !== 'compose' && environment !== 'cluster') throw new Error(usage);
  if (operatorToken === '') throw new Error(`OPERATOR_TOKEN is missing\n\n${usage}`);
  return {
    environment,
    baseUrls: parseAddresses('base-url', values['base-url'] ?? defaults.baseUrl),
    operatorUrl: parseAddress('operator-url', values['operator-url'] ?? defaults.operatorUrl),
    operatorToken,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' as const };
  const options = {
    env: { ...text, default: 'local' },
    'base-url': text,
    'operator-url': text,
    monitoring: text,
    gateways: text,
    seconds: text,
    size: text,
    keys: text,
    'only-correctness': { type: 'boolean' as const, default: false },
  };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error });
  }
}

function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}
