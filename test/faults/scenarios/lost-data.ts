import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/local-stack';
import { checkProjection, checkQuota } from '../checkers/loss.ts';
import { createBrand, createCustomer, expectStatus, type Customer } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';

const quota = 400;
const losses = 6;
/** Size of a quota lease of a small quota. */
const block = 10;

/** Restarts Redis without its data. */
async function emptyRedis({ stores }: System): Promise<void> {
  await stores.redis.kill();
  await stores.redis.deleteData();
  await stores.redis.start();
}

async function deleteCounters({ system, report }: Context): Promise<string[]> {
  const customer = await createCustomer(system, { key: { monthly_quota: quota } });
  const stop = new AbortController();
  const statuses: number[] = [];
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) {
      const response = await system.call('GET', '/orgs', customer).catch(() => undefined);
      statuses.push(response?.status ?? 0);
      if (response?.status !== 200) await sleep(100);
      else await sleep(25);
    }
  });
  for (let loss = 0; loss < losses; loss += 1) {
    await sleep(600);
    await emptyRedis(system);
  }
  const spent = async (): Promise<boolean> => statuses.slice(-8).every((status) => status === 429);
  await waitUntil(spent, { timeoutMs: 40_000, intervalMs: 100 });
  stop.abort();
  await Promise.all(clients);
  const served = statuses.filter((status) => status === 200).length;
  report(`${served} of ${quota} served, Redis emptied ${losses} times`);
  return checkQuota({
    quota,
    served,
    losses,
    block,
    otherStatuses: statuses.filter((status) => status !== 200),
  });
}

async function readPromptVersions(
  system: System,
  orgId: string,
): Promise<[Map<string, string>, Map<string, string>]> {
  const read = async (table: string): Promise<Map<string, string>> => {
    const rows = await system.rows<{ id: string; version: string }>(
      `select id, version::text as version from ${table} where org_id = $1`,
      [orgId],
    );
    return new Map(rows.map(({ id, version }) => [id, version]));
  };
  return [await read('catalog.prompts'), await read('results.prompts')];
}

async function writePrompts(
  system: System,
  { orgId, key }: Customer,
  brandId: string,
  from: number,
): Promise<void> {
  for (let number = from; number < from + 30; number += 1) {
    const body = { text: `lost ${number}`, countries: ['US'], active: false };
    await expectStatus(201, system.call('POST', `/orgs/${orgId}/brands/${brandId}/prompts`, { key, body }));
  }
}

/** Deletes the stream with events that are published and not yet consumed, while the consumer is stopped. */
async function deleteStream({ system, random, report }: Context): Promise<string[]> {
  const customer = await createCustomer(system);
  const { brandId } = await createBrand(system, customer, { name: `Lost ${random.between(1, 999_999)}` });
  system.signal('results', 'SIGSTOP');
  await writePrompts(system, customer, brandId, 0);
  const sent = async (): Promise<boolean> =>
    (await system.rows('select 1 from catalog.outbox where sent_at is null')).length === 0;
  await waitUntil(sent, { timeoutMs: 10_000, intervalMs: 100 });
  await system.stores.nats.kill();
  await system.stores.nats.deleteData();
  await system.stores.nats.start();
  system.signal('results', 'SIGCONT');
  await writePrompts(system, customer, brandId, 100);
  const complete = async (): Promise<boolean> =>
    checkProjection(...(await readPromptVersions(system, customer.orgId))).length === 0;
  await waitUntil(complete, { timeoutMs: 30_000, intervalMs: 200 });
  report('the stream deleted');
  return checkProjection(...(await readPromptVersions(system, customer.orgId)));
}

async function run(context: Context): Promise<Outcome> {
  const counters = await deleteCounters(context);
  const stream = await deleteStream(context);
  return {
    violations: [...counters, ...stream],
    summary: `Redis emptied ${losses} times under a quota of ${quota}; JetStream's store deleted with unconsumed events`,
  };
}

export const lostData: Scenario = {
  name: 'lost-data',
  guarantee:
    'after Redis lost its data no quota is exceeded; after JetStream lost its data all events are published again',
  run,
};
