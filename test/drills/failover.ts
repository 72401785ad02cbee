/**
 * Kills the primary of a stack under traffic and fails over to a synchronous standby, by the commands of
 * docs/operations/failover.md. Every service reaches Postgres through PgBouncer and reconnects without a restart. No
 * acknowledged write, paid answer or delivery may be lost.
 *   pnpm drill:failover
 */
import { strict as assert } from 'node:assert';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { platformIds } from '@bv/contract';
import { postgresIdentity, privateStackOptions, startStack, waitUntil, type Stack } from '@bv/local-stack';
import { checkFinalState } from '../faults/checkers/kills.ts';
import { checkOutage, measureRecovery, summarise } from '../faults/checkers/outage.ts';
import { createApi } from '../faults/harness/api.ts';
import { type Api, expectStatus, request, requestScans } from '../faults/harness/client.ts';
import { readFinalState } from '../faults/harness/final-state.ts';
import { createFixture, type Fixture } from '../faults/harness/fixture.ts';
import { idempotencyLeaseMs, shortLeases } from '../faults/harness/system.ts';
import { readStoredTexts, startTraffic, type Traffic } from '../faults/harness/traffic.ts';
import { startReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts';

/** An answer takes this long, so that paid answers arrive while there is no primary. */
const answerMs = 2_000;
/** From the loss of the primary to the decision to fail over. */
const decisionMs = 3_000;
/** The services have recovered when no request was refused for this time. */
const calmMs = 4_000;
/** Generous, because the drill may share its machine. The time it took is printed. */
const maxRecoveryMs = 30_000;
const report = (line: string): void => console.log(line);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const scratch = await mkdtemp(join(tmpdir(), 'bv-failover-'));
await chmod(scratch, 0o755);
const user = await postgresIdentity();
if (user !== undefined) await chown(scratch, user.uid, user.gid);

type Drill = { stack: Stack; api: Api; postgres: ReplicatedPostgres; fixture: Fixture };
type Calls = Record<string, number>;
type Run = { traffic: Traffic; jobs: string[]; callsBefore: Calls };

/** Platforms whose answer is one response. An overview or a paused turn may need a second call. */
const oneCallPlatforms: readonly string[] = ['chatgpt', 'gemini', 'perplexity'];

/** Calls of each platform so far. A lease whose commit was not acknowledged is an attempt without a call. */
async function countCalls({ simulatorUrl }: Stack): Promise<Calls> {
  const { body } = await request(`${simulatorUrl}/control/requests`, 'GET');
  return (body as { requests: Calls }).requests;
}

const setAnswers = async (api: Api, trouble: object): Promise<void> => {
  for (const platform of platformIds) await api.simulate({ platform, ...trouble });
};

/** Kills the primary while every kind of request is sent and scans run. */
async function failOver({ stack, api, postgres, fixture }: Drill): Promise<Run> {
  const callsBefore = await countCalls(stack);
  await setAnswers(api, { kind: 'slow', delayMs: answerMs });
  const jobs = await requestScans(api, fixture.victim.customer, ['Failover one', 'Failover two']);
  const traffic = startTraffic(api, fixture.victim);
  const running = async (): Promise<boolean> => {
    const text = "select 1 from scans.scan_units where job_id = any($1) and status = 'running'";
    return (await api.rows(text, [jobs])).length > 0;
  };
  assert(await waitUntil(running, { timeoutMs: 20_000, intervalMs: 50 }), 'no unit is measured');
  await sleep(3_000);
  const downAt = performance.now();
  await postgres.killPrimary();
  await sleep(decisionMs);
  postgres.failOver();
  const restoredAt = performance.now();
  const { history, writes } = traffic;
  const isCalm = async (): Promise<boolean> => {
    const refusal = history.findLast(({ status }) => status < 200 || status >= 300);
    return performance.now() - Math.max(restoredAt, refusal?.endedAt ?? 0) > calmMs;
  };
  assert(await waitUntil(isCalm, { timeoutMs: maxRecoveryMs + calmMs, intervalMs: 100 }), 'no recovery');
  await setAnswers(api, { kind: null });
  await traffic.stop();
  const stored = await readStoredTexts(api, fixture.victim);
  const times = { downAt, restoredAt, recoveryMs: maxRecoveryMs, idempotencyLeaseMs };
  const outage = { history, writes, stored, ...times };
  assert.deepEqual(checkOutage(outage).slice(0, 10), []);
  const refused = new Map<string, number>();
  for (const summary of summarise(outage)) {
    for (const [code, count] of summary.refused) refused.set(code, (refused.get(code) ?? 0) + count);
  }
  assert(refused.size > 0, 'the loss of the primary had no effect');
  report(
    `${history.length} requests, ${writes.length} writes; without a primary for ${seconds(restoredAt - downAt)}: ` +
      `${[...refused].map(([code, count]) => `${count} responses ${code}`).join(', ')}; ` +
      `every request succeeded ${seconds(measureRecovery(outage))} after the failover`,
  );
  return { traffic, jobs, callsBefore };
}

/** Every write is stored once, every scan has each unit once, and every delivery arrived. */
async function checkNothingLost(
  { stack, api, fixture }: Drill,
  { traffic, jobs, callsBefore }: Run,
): Promise<void> {
  const read = async () => readFinalState(api, fixture, traffic, jobs);
  const isAtRest = async (): Promise<boolean> => {
    const finalState = await read();
    return finalState.deliveries.length > jobs.length && checkFinalState(finalState).length === 0;
  };
  await waitUntil(isAtRest, { timeoutMs: 45_000, intervalMs: 500 });
  const finalState = await read();
  assert.deepEqual(checkFinalState(finalState).slice(0, 10), []);
  // The fixture's own scan has one as well.
  assert.equal(finalState.deliveries.length, jobs.length + 1);
  const calls = await countCalls(stack);
  const units = await api.rows<{ platform: string; count: number }>(
    'select platform, count(*)::int from scans.scan_units where job_id = any($1) group by platform',
    [jobs],
  );
  for (const { platform, count } of units) {
    const made = (calls[platform] ?? 0) - (callsBefore[platform] ?? 0);
    assert(made >= count, 'a unit has a result without a call');
    if (oneCallPlatforms.includes(platform))
      assert.equal(made, count, `${platform} was paid twice for a unit`);
  }
  report(
    `${finalState.stored.length} prompts, ${finalState.scans.reduce((sum, { units }) => sum + units, 0)} units, ` +
      `${finalState.deliveries.length} deliveries: each stored or received once, no call repeated`,
  );
}

/** Without its standby a commit waits, and reads go on. The documented command ends the wait. */
async function loseStandby({ api, postgres, fixture }: Drill): Promise<void> {
  await postgres.stopStandby();
  const { ids, customer } = fixture.victim;
  const path = `/orgs/${ids['orgId']}/brands/${ids['brandId']}/prompts`;
  const body = { text: 'Written without a standby', countries: ['US'], active: false };
  let isAcknowledged = false;
  const write = api.call('POST', path, { key: customer.key, body }).finally(() => (isAcknowledged = true));
  const waiting = async (): Promise<boolean> =>
    (await api.rows("select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length > 0;
  assert(await waitUntil(waiting, { timeoutMs: 10_000, intervalMs: 20 }), 'the write does not wait');
  await expectStatus(200, api.call('GET', `/orgs/${ids['orgId']}/prompts`, { key: customer.key }));
  assert(!isAcknowledged, 'a write was acknowledged without the standby');
  postgres.continueWithoutStandby();
  await expectStatus(201, write);
}

async function drill(stack: Stack, postgres: ReplicatedPostgres): Promise<void> {
  const api = createApi(stack, () => postgres.primaryUrl());
  const pids = (): number[] => [...stack.services.values()].map((service) => service.pid());
  const before = pids();
  const fixture = await createFixture(api, 'failover');
  const all = { stack, api, postgres, fixture };
  try {
    await checkNothingLost(all, await failOver(all));
    await postgres.addStandby();
    report('the old primary is the synchronous standby');
    await loseStandby(all);
    report('a write waited for the lost standby and succeeded without it');
    await postgres.addStandby();
    report('a new standby replaced the lost one');
    assert.deepEqual(pids(), before, 'a service was restarted');
  } finally {
    await fixture.receiver.close();
  }
}

try {
  const postgres = await startReplicatedPostgres(scratch);
  try {
    const options = privateStackOptions(join(scratch, 'stack'), {
      ...shortLeases,
      NODE_ENV: 'development',
      LOG_LEVEL: 'error',
    });
    const stack = await startStack(
      { ...options, externalUrls: { postgres: postgres.pgbouncer.url } },
      () => undefined,
    );
    try {
      await drill(stack, postgres);
    } finally {
      await stack.stop();
    }
  } finally {
    await postgres.stop();
  }
  report('nothing that got a response was lost, and no service was restarted');
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
