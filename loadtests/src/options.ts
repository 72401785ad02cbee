import { parseArgs } from 'node:util';
import { baseUrl } from '@bv/settings';
import { scenarios, type Scenario, type ScenarioName } from './scenarios.ts';

export type Options = {
  scenario: ScenarioName;
  environment: 'local' | 'compose' | 'cluster';
  baseUrls: string[];
  operatorUrl: string;
  operatorToken: string;
  /** Monitoring addresses of the services, to see what reached them. */
  monitoring: string[];
  gateways: number;
  seconds: number;
  size: number;
  keys: number;
  /** Checks responses and prints no figures, so that other load does not matter. */
  onlyCorrectness: boolean;
};

const usage = `pnpm load <${Object.keys(scenarios).join(' | ')}> [options]

  --env local|compose|cluster   local (the default) starts a stack of its own
  --base-url <url,...>          every gateway's address with /v1 (compose, cluster)
  --operator-url <url>          the operator API (/operator/v1); its token in OPERATOR_TOKEN
  --monitoring <url,...>        monitoring addresses, as 'limiter' and 'soak' need them: of all services, to see what
                                reached them; of all processes, to see whether their memory stays
  --gateways <n>                processes to start locally (2)
  --seconds <n>  --size <n>     how long, and how many requests a second or users
  --keys <n>                    keys used side by side (limiter)
  --only-correctness            check responses, print no figures: for a busy machine`;

/** What a port forwarded from a cluster, or published by a composition with compose.yaml, usually is. */
const usual = { baseUrl: 'http://127.0.0.1:8080/v1', operatorUrl: 'http://127.0.0.1:8090/operator/v1' };

/** Enough samples of memory for three parts. */
const steadySeconds = 60;

function countOf(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is no count\n\n${usage}`);
  return value;
}

const address = baseUrl('An address of the product.');

function addressOf(option: string, text: string): string {
  const checked = address.safeParse(text);
  if (checked.success) return checked.data;
  throw new Error(`--${option}: ${checked.error.issues[0]?.message}\n\n${usage}`);
}

const addressesOf = (option: string, text: string): string[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => addressOf(option, part));

/** Throws with the usage where the arguments make no sense. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parse(args);
  const [name = ''] = positionals;
  if (!isScenario(name)) throw new Error(`Which scenario?\n\n${usage}`);
  const scenario: Scenario = scenarios[name];
  const place = readPlace(values, environment['OPERATOR_TOKEN'] ?? '');
  if (scenario.ownAddresses === true && place.environment !== 'local')
    throw new Error(`${name} runs locally only: elsewhere all its users would have one address`);
  const seconds = countOf(values.seconds, scenario.seconds);
  if (scenario.steady === true && seconds < steadySeconds)
    throw new Error(`${name} takes ${steadySeconds} s at least: its last third is held against its second`);
  const monitoring = addressesOf('monitoring', values.monitoring ?? '');
  const seen = scenario.steady === true || scenario.expected.includes(429);
  if (seen && place.environment !== 'local' && monitoring.length === 0)
    throw new Error(`${name} needs --monitoring: what it shows cannot be seen otherwise\n\n${usage}`);
  return {
    ...place,
    scenario: name,
    monitoring,
    gateways: countOf(values.gateways, 2),
    seconds,
    size: countOf(values.size, scenario.size),
    keys: countOf(values.keys, 200),
    onlyCorrectness: values['only-correctness'],
  };
}

type Values = ReturnType<typeof parse>['values'];

function readPlace(
  values: Values,
  operatorToken: string,
): Pick<Options, 'environment' | 'baseUrls' | 'operatorUrl' | 'operatorToken'> {
  const environment = values.env;
  if (environment === 'local') return { environment, baseUrls: [], operatorUrl: '', operatorToken };
  if (environment !== 'compose' && environment !== 'cluster') throw new Error(usage);
  if (operatorToken === '') throw new Error(`OPERATOR_TOKEN is missing\n\n${usage}`);
  return {
    environment,
    baseUrls: addressesOf('base-url', values['base-url'] ?? usual.baseUrl),
    operatorUrl: addressOf('operator-url', values['operator-url'] ?? usual.operatorUrl),
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
