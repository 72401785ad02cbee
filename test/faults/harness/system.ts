import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRecordedProcesses, privateStackOptions, startStack, type Stack } from '@bv/local-stack';
import { createApi } from './api.ts';
import type { Api } from './client.ts';
import { startStores, type Stores } from './stores.ts';

/** The whole product: each service is a process, each data store is behind a proxy that injects faults. */
export type System = Api & {
  stack: Stack;
  stores: Stores;
  signal(service: string, signal: NodeJS.Signals): void;
  /** The logs of all processes so far, by file name. */
  logs(): Promise<Map<string, string>>;
  stop(): Promise<void>;
};

const folder = 'bv-faults-';

/** Stops the processes of runs that were killed. They are recorded in the folder of each run. */
async function stopAbandonedRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(name.startsWith(folder) ? name.slice(folder.length).split('-')[0] : Number.NaN);
    if (Number.isNaN(owner) || existsSync(`/proc/${owner}`)) continue;
    const dir = join(tmpdir(), name);
    for (const records of [join(dir, 'stack', 'processes'), join(dir, 'processes')]) {
      if (existsSync(records)) await endRecordedProcesses(records, { timeoutMs: 5_000 });
    }
    await rm(dir, { recursive: true, force: true });
  }
}

export async function startSystem(): Promise<System> {
  await stopAbandonedRuns();
  const dir = await mkdtemp(join(tmpdir(), `${folder}${process.pid}-`));
  const stores = await startStores(dir, randomBytes(18).toString('base64url'));
  const dataDir = join(dir, 'stack');
  const stopStores = async (): Promise<void> => {
    await Promise.all(Object.values(stores).map((store) => store.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  const progress: string[] = [];
  const stack = await startStack(stackOptions(dataDir, stores), (line) => progress.push(line)).catch(
    async (error: unknown) => {
      await stopStores();
      throw new Error(progress.join('\n'), { cause: error });
    },
  );
  return {
    stack,
    stores,
    ...createApi(stack, () => stores.postgres.directUrl),
    signal: (service, signal) => {
      const pid = stack.services.get(service)?.pid();
      if (pid === undefined) throw new Error(`${service} does not run`);
      process.kill(pid, signal);
    },
    logs: async () => new Map([...(await readLogs(stack.dataDir.logs)), ...(await readLogs(dir))]),
    stop: async () => {
      for (const store of Object.values(stores)) store.proxy.clearFault();
      await stack.stop();
      await stopStores();
    },
  };
}

/** How long a write that timed out blocks its own retry. */
export const idempotencyLeaseMs = 10_000;

/** Short leases, so that another process takes over the work of a killed one within a scenario. Each exceeds the work it covers. */
export const shortLeases = {
  // All processes share one machine with the load, so a slow counter is not a defect.
  REDIS_TIMEOUT_MS: '1000',
  UPSTREAM_TIMEOUT_MS: '8000',
  IDEMPOTENCY_LEASE_MS: String(idempotencyLeaseMs),
  // No brand is scanned because its hour has come.
  SCHEDULE_INTERVAL_MS: '0',
  UNIT_LEASE_MS: '4000',
  REPROCESS_LEASE_MS: '4000',
  // A day takes a second instead of four, so a replica reaches its failpoint in time.
  REPROCESS_SHARE_PERCENT: '100',
  WEBHOOKS_TOTAL_TIMEOUT_MS: '4000',
  WEBHOOKS_LEASE_MS: '6000',
};

function stackOptions(dataDir: string, stores: Stores): Parameters<typeof startStack>[0] {
  // The most verbose level, because the logs are searched for secrets.
  const environment = { ...shortLeases, NODE_ENV: 'development', LOG_LEVEL: 'debug' };
  const externalUrls = Object.fromEntries(Object.values(stores).map(({ id, url }) => [id, url]));
  return { ...privateStackOptions(dataDir, environment), externalUrls };
}

async function readLogs(dir: string): Promise<Map<string, string>> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.log'));
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(dir, name), 'utf8')] as const)),
  );
}
