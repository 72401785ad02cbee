import { median } from '@bv/measure';
import type { Stack } from '@bv/stack';
import { request } from '../faults/harness/client.ts';
import { startReplica, type Replica } from '../faults/harness/replica.ts';
import type { Access } from './upgrade-traffic.ts';

const rounds = 30;
const requestsPerRound = 100;

/** Compares a read through PgBouncer with one by a gateway and a catalog that connect directly. */
export async function measurePoolerCost(stack: Stack, directUrl: string, access: Access): Promise<string> {
  const toDirect = (name: string): Record<string, string> => {
    const planned = stack.plan.find((service) => service.name === name)?.env['DATABASE_URL'];
    const url = new URL(planned ?? '');
    url.port = new URL(directUrl).port;
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
    const pairs: [pooled: number, direct: number][] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const pair = [await timeRead(stack.baseUrl, access), await timeRead(direct, access)] as const;
      // The first round warms up.
      if (round > 0) pairs.push([...pair]);
    }
    const [pooledMs, directMs] = [median(pairs.map(([ms]) => ms)), median(pairs.map(([, ms]) => ms))];
    const ratio = median(pairs.map(([pooled, unpooled]) => pooled / unpooled));
    return `a read takes ${pooledMs.toFixed(2)} ms through PgBouncer and ${directMs.toFixed(2)} ms directly: ${ratio.toFixed(2)} times, median of ${rounds} pairs`;
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
