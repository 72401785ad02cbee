import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  readStackOptions,
  startProcess,
  startStack,
  waitUntil,
  type ManagedProcess,
  type Stack,
} from '@bv/stack';
import type { Options } from './options.ts';

export type Target = {
  baseUrls: string[];
  operatorUrl: string;
  operatorToken: string;
  /** Of the services behind the gateways; empty where nobody told. */
  monitoring: string[];
  gatewayMonitoring: string[];
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../../', import.meta.url));

export async function openTarget(options: Options, say: (text: string) => void): Promise<Target> {
  if (options.environment === 'local') return startLocal(options.gateways, say);
  const { baseUrls, operatorUrl, operatorToken, monitoring } = options;
  return {
    baseUrls,
    operatorUrl,
    operatorToken,
    monitoring,
    gatewayMonitoring: [],
    stop: async () => undefined,
  };
}

/** The whole product on free ports with data of its own, and as many gateways as wanted. */
async function startLocal(gateways: number, say: (text: string) => void): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bv-load-'));
  const environment = { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'info' };
  const options = { ...readStackOptions(environment), givenUrls: {}, dataDir, freePorts: true, engines: [] };
  const more: ManagedProcess[] = [];
  let stack: Stack | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(more.map((gateway) => gateway.stop()));
    await stack?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    stack = await startStack(options, say);
    const first = { url: stack.baseUrl, monitoring: local(stack.ports.gateway.monitoring) };
    const others = [];
    while (others.length < gateways - 1) others.push(await startGateway(stack, others.length + 2, more));
    const all = [first, ...others];
    const { catalog, results, scans, webhooks } = stack.ports;
    return {
      baseUrls: all.map(({ url }) => url),
      operatorUrl: stack.operatorUrl,
      operatorToken: stack.secrets.operatorToken,
      monitoring: [catalog, results, scans, webhooks].map(({ monitoring }) => local(monitoring)),
      gatewayMonitoring: all.map(({ monitoring }) => monitoring),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const local = (port: number): string => `http://127.0.0.1:${port}`;

async function startGateway(stack: Stack, number: number, started: ManagedProcess[]) {
  const plan = stack.plan.find(({ name }) => name === 'gateway');
  if (plan === undefined) throw new Error('the stack has no gateway');
  const [port, monitoring, operator] = [await freePort(), await freePort(), await freePort()];
  const ports = { PORT: String(port), MONITORING_PORT: String(monitoring), OPERATOR_PORT: String(operator) };
  const gateway = startProcess({
    name: `gateway-${number}`,
    command: process.execPath,
    args: ['--conditions=@bv/source', join(root, plan.script)],
    logFile: join(stack.dataDir.logs, `gateway-${number}.log`),
    cwd: root,
    env: { ...plan.env, ...ports },
  });
  started.push(gateway);
  const ready = async (): Promise<boolean> =>
    fetch(`${local(monitoring)}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await waitUntil(ready, { timeoutMs: 60_000 }))) throw new Error(`${gateway.name} did not start`);
  return { url: `${local(port)}/v1`, monitoring: local(monitoring) };
}
