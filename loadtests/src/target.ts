import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  privateStackOptions,
  startProcess,
  startStack,
  waitUntil,
  type ManagedProcess,
  type Stack,
} from '@bv/local-stack';
import type { Options } from './options.ts';

export type Target = {
  baseUrls: string[];
  operatorUrl: string;
  operatorToken: string;
  /** Monitoring URLs of the services behind the gateways. Empty when unknown. */
  monitoring: string[];
  /** Processes whose CPU and memory are sampled, with their monitoring URLs. */
  processes: { name: string; url: string }[];
  /** Whether the run started the stores, so that their CPU can be read. */
  ownStores: boolean;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../../', import.meta.url));

export async function openTarget(options: Options, report: (text: string) => void): Promise<Target> {
  if (options.environment === 'local') return startLocal(options.gateways, report);
  const { baseUrls, operatorUrl, operatorToken, monitoring } = options;
  return {
    baseUrls,
    operatorUrl,
    operatorToken,
    monitoring,
    processes: monitoring.map((url) => ({ name: new URL(url).host, url })),
    ownStores: false,
    stop: async () => undefined,
  };
}

/** Starts the whole product on free ports with new data, and the requested number of gateways. */
async function startLocal(gateways: number, report: (text: string) => void): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bv-load-'));
  const replicas: ManagedProcess[] = [];
  let stack: Stack | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(replicas.map((process) => process.stop()));
    await stack?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    // As in production, without response checks and readable logs. NODE_ENV is `test`, because in production webhooks
    // reject receivers on this machine.
    const settings = { NODE_ENV: 'test', CHECK_RESPONSES: 'false', LOG_LEVEL: 'info' };
    stack = await startStack(privateStackOptions(dataDir, settings), report);
    const others = [];
    while (others.length < gateways - 1) others.push(await startGateway(stack, replicas));
    const { gateway, catalog, results, scans, webhooks, dispatcher } = stack.ports;
    const watched = { gateway, catalog, results, scans, webhooks, dispatcher };
    return {
      baseUrls: [stack.baseUrl, ...others.map(({ url }) => url)],
      operatorUrl: stack.operatorUrl,
      operatorToken: stack.secrets.operatorToken,
      monitoring: [catalog, results, scans, webhooks].map(({ monitoring }) => local(monitoring)),
      processes: [
        ...others.map(({ monitoring }, index) => ({ name: `gateway ${index + 2}`, url: monitoring })),
        ...Object.entries(watched).map(([name, { monitoring }]) => ({ name, url: local(monitoring) })),
      ],
      ownStores: true,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const local = (port: number): string => `http://127.0.0.1:${port}`;

/** Starts another gateway of the stack, on separate ports. */
async function startGateway(stack: Stack, started: ManagedProcess[]) {
  const plan = stack.plan.find(({ name }) => name === 'gateway');
  if (plan === undefined) throw new Error('the stack has no gateway');
  const [port, monitoring, operator] = [await freePort(), await freePort(), await freePort()];
  const ports = { PORT: String(port), MONITORING_PORT: String(monitoring), OPERATOR_PORT: String(operator) };
  const name = `gateway-${started.length + 2}`;
  const child = startProcess({
    name,
    command: process.execPath,
    args: ['--conditions=@bv/source', join(root, plan.script)],
    logFile: join(stack.dataDir.logs, `${name}.log`),
    cwd: root,
    env: { ...plan.env, ...ports },
  });
  started.push(child);
  const ready = async (): Promise<boolean> =>
    fetch(`${local(monitoring)}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await waitUntil(ready, { timeoutMs: 60_000 }))) throw new Error(`${name} did not start`);
  return { url: `${local(port)}/v1`, monitoring: local(monitoring) };
}
