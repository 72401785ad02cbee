import { cpuMsOfTree, median } from '@bv/measure';
import type { Stack } from '@bv/local-stack';
import { request } from '../faults/harness/client.ts';
import { startReplica, type Replica } from '../faults/harness/replica.ts';
import type { ReplicatedPostgres } from './replicated-postgres.ts';
import type { Access } from './upgrade-traffic.ts';

const rounds = 30;
const requestsPerRound = 100;

/** Compares a read through PgBouncer with one by a gateway and a catalog that connect directly. */
export async function measurePoolerCost(
  stack: Stack,
  postgres: ReplicatedPostgres,
  access: Access,
): Promise<string> {
  const toDirect = (name: string): Record<string, string> => {
    const planned = stack.plan.find((service) => service.name === name)?.env['DATABASE_URL'];
    const url = new URL(planned ?? '');
    url.port = new URL(postgres.primaryUrl()).port;
    return { DATABASE_URL: url.href };
  };
  const started: Replica[] = [];
  const start = async (name: string, env: Record<string, string>): Promise<Replica> => {
    const replica = await startReplica({ stack }, name, env);
    started.push(replica);
    return replica;
  };
  try {
    const catalog = await start('catalog', toDirect('catalog'));
    const catalogUrl = { CATALOG_URL: `http://127.0.0.1:${catalog.port}` };
    const gateway = await start('gateway', { ...toDirect('gateway'), ...catalogUrl });
    const direct = `http://127.0.0.1:${gateway.port}/v1`;
    /** Milliseconds of a read, and of PgBouncer's CPU in that time: its other clients are always there. */
    const read = async (baseUrl: string): Promise<{ ms: number; cpuMs: number }> => {
      const cpuBefore = cpuMsOfTree(postgres.pgbouncer.pid);
      const ms = await timeRead(baseUrl, access);
      return { ms, cpuMs: (cpuMsOfTree(postgres.pgbouncer.pid) - cpuBefore) / requestsPerRound };
    };
    const readPair = async () => ({ pooled: await read(stack.baseUrl), direct: await read(direct) });
    // Warms up.
    await readPair();
    const pairs: Awaited<ReturnType<typeof readPair>>[] = [];
    for (let round = 0; round < rounds; round += 1) pairs.push(await readPair());
    const added = median(pairs.map((pair) => pair.pooled.ms - pair.direct.ms));
    const ratio = median(pairs.map((pair) => pair.pooled.ms / pair.direct.ms));
    const cpuMs = pairs.reduce((sum, pair) => sum + pair.pooled.cpuMs - pair.direct.cpuMs, 0) / rounds;
    return (
      `PgBouncer adds ${added.toFixed(2)} ms to a read (${ratio.toFixed(2)} times, median of ${rounds} pairs) ` +
      `and needs ${cpuMs.toFixed(3)} ms of CPU for it`
    );
  } finally {
    await Promise.all(started.map((replica) => replica.process.stop()));
  }
}

/** Mean milliseconds of reads in sequence. */
async function timeRead(baseUrl: string, { orgId, key }: Access): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < requestsPerRound; count += 1) {
    const { status } = await request(`${baseUrl}/orgs/${orgId}/prompts`, 'GET', { key });
    if (status !== 200) throw new Error(`a read returned ${status}`);
  }
  return (performance.now() - startedAt) / requestsPerRound;
}
