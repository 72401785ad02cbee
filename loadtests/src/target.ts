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
  const replicas: ManagedProcess[] = [];
  const { target, stack } = await startFullStack(replicas, report);
  try {
    const otherGateways = [];
    while (otherGateways.length < gateways - 1)
      otherGateways.push(await startReplica(stack, replicas, 'gateway', {}));
    return {
      ...target,
      baseUrls: [...target.baseUrls, ...otherGateways.map(({ url }) => url)],
      processes: [
        ...otherGateways.map(({ monitoring }, index) => ({ name: `gateway ${index + 2}`, url: monitoring })),
        ...target.processes,
      ],
    };
  } catch (error) {
    await target.stop();
    throw error;
  }
}

/** Starts a stack. `stop` first stops `replicas`, then the stack. */
async function startFullStack(
  replicas: ManagedProcess[],
  report: (text: string) => void,
  env: Record<string, string> = {},
): Promise<{ target: Target; stack: Stack }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bv-load-'));
  // As in production, without response checks and readable logs. NODE_ENV is `test`, because in production webhooks
  // reject receivers on this machine.
  const productionSettings = { NODE_ENV: 'test', CHECK_RESPONSES: 'false', LOG_LEVEL: 'info' };
  const options = privateStackOptions(dataDir, { ...productionSettings, ...env });
  const stack = await startStack(options, report).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const { gateway, catalog, results, scans, webhooks, dispatcher } = stack.ports;
  const watched = { gateway, catalog, results, scans, webhooks, dispatcher };
  const target: Target = {
    baseUrls: [stack.baseUrl],
    operatorUrl: stack.operatorUrl,
    operatorToken: stack.secrets.operatorToken,
    monitoring: [catalog, results, scans, webhooks].map(({ monitoring }) => local(monitoring)),
    processes: Object.entries(watched).map(([name, { monitoring }]) => ({ name, url: local(monitoring) })),
    ownStores: true,
    stop: async () => {
      await Promise.all(replicas.map((process) => process.stop()));
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return { target, stack };
}

export type StorageTarget = Target & { postgresUrl: string; redisUrl: string; natsUrl: string };

/** A stack with accessible stores. Scans run only on request, so that rows can be counted. */
export async function startStorageTarget(report: (text: string) => void): Promise<StorageTarget> {
  const { target, stack } = await startFullStack([], report, { SCHEDULE_INTERVAL_MS: '0' });
  const postgres = new URL(stack.urls.postgres);
  postgres.pathname = '/brand_visibility';
  return { ...target, postgresUrl: postgres.href, redisUrl: stack.urls.redis, natsUrl: stack.urls.nats };
}

export type ProfiledTarget = Target & { inspectors: Record<'catalog' | 'results' | 'gateway', number> };

/** A stack with an additional process of each service on the hot paths for profiling. The last gateway uses them. */
export async function startProfiled(report: (text: string) => void): Promise<ProfiledTarget> {
  const replicas: ManagedProcess[] = [];
  const { target, stack } = await startFullStack(replicas, report);
  try {
    const [catalog, results] = [await freePort(), await freePort()];
    const inspectors = { catalog: await freePort(), results: await freePort(), gateway: await freePort() };
    await startReplica(stack, replicas, 'catalog', { port: catalog, inspect: inspectors.catalog });
    await startReplica(stack, replicas, 'results', { port: results, inspect: inspectors.results });
    const services = { CATALOG_URL: local(catalog), RESULTS_URL: local(results) };
    const gateway = await startReplica(stack, replicas, 'gateway', {
      env: services,
      inspect: inspectors.gateway,
    });
    return { ...target, baseUrls: [...target.baseUrls, gateway.url], inspectors };
  } catch (error) {
    await target.stop();
    throw error;
  }
}

/** Stops the target on Ctrl-C too. */
export function stopOnSignals(target: Target): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void target.stop().finally(() => process.exit(130)));
}

const local = (port: number): string => `http://127.0.0.1:${port}`;

type Extra = { env?: Record<string, string>; port?: number; inspect?: number };

/** Starts another process of a service of the stack, on separate ports. */
async function startReplica(stack: Stack, started: ManagedProcess[], service: string, extra: Extra) {
  const plan = stack.plan.find(({ name }) => name === service);
  if (plan === undefined) throw new Error(`the stack has no ${service}`);
  const [port, monitoring, operator] = [extra.port ?? (await freePort()), await freePort(), await freePort()];
  const ports = { PORT: String(port), MONITORING_PORT: String(monitoring), OPERATOR_PORT: String(operator) };
  const inspect = extra.inspect === undefined ? [] : [`--inspect=127.0.0.1:${extra.inspect}`];
  const name = `${service}-${started.length + 2}`;
  const child = startProcess({
    name,
    command: process.execPath,
    args: ['--conditions=@bv/source', ...inspect, join(root, plan.script)],
    logFile: join(stack.dataDir.logs, `${name}.log`),
    cwd: root,
    env: { ...plan.env, ...ports, ...extra.env },
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
