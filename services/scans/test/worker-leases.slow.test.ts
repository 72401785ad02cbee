import type { PlatformId } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import {
  awaitJob,
  awaitStatements,
  getScan,
  type Harness,
  type Replica,
  simulate,
  startScans,
  sumMetric,
} from './harness.ts';
import { findUnitEvents, findUnits, lockJob, queue, useReplicas } from './replicas.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});
afterAll(() => harness.stop());

const start = useReplicas(() => harness);

const setTrouble = (platform: PlatformId, trouble: Parameters<typeof simulate>[1]): void =>
  simulate(harness.simulator, trouble, [platform]);

const awaitHeld = (requests: number) => eventually(() => expect(harness.simulator.state.held).toBe(requests));

/** Waits until the worker of a replica has looked for due units `times` more times. */
const awaitPolls = ({ monitoringUrl }: Replica, times: number) =>
  awaitStatements(monitoringUrl, 'scans.list_due_platforms', times);

describe('leases', () => {
  test('a unit of a dead worker is leased again once its lease expires', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 2, platforms: ['chatgpt'] }));
    const jobId = await queue(idle, plan);
    // The state after a worker was killed that had leased the units.
    await harness.query(
      `update scan_jobs set status = 'running', started_at = now(), version = 2 where id = $1`,
      [jobId],
    );
    await harness.query(
      `update scan_units set status = 'running', fencing_token = 1, attempts = 1,
         next_attempt_at = now() + interval '1 second'
       where job_id = $1`,
      [jobId],
    );
    await start();
    expect((await awaitJob(idle, plan, jobId)).status).toBe('completed');
    expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 2 }, { attempts: 2 }]);
    expect(await findUnitEvents(harness, jobId)).toHaveLength(2);
  });

  test('a heartbeat keeps a unit longer than the lease duration', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const env = { UNIT_LEASE_MS: '2000', UNIT_TIMEOUT_MS: '60000' };
    const first = await start(env);
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(first, plan);
    await awaitHeld(1);
    const [leased] = await harness.query<{ ends_at: Date }>(
      'select next_attempt_at as ends_at from scan_units where job_id = $1',
      [jobId],
    );
    await eventually(async () =>
      expect(
        await harness.query(
          `select from scan_units where job_id = $1 and lease_ended_at is null
             and clock_timestamp() > $2 and next_attempt_at > clock_timestamp()`,
          [jobId, leased!.ends_at],
        ),
      ).toHaveLength(1),
    );
    setTrouble('chatgpt', { kind: null });
    expect((await awaitJob(first, plan, jobId)).status).toBe('completed');
    expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 1 }]);
  });

  test('an answer after the lease was lost is discarded', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const slow = await start();
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(slow, plan);
    await awaitHeld(1);
    // Another worker leases the unit while the first one still waits for its answer.
    await harness.query('update scan_units set fencing_token = fencing_token + 1 where job_id = $1', [jobId]);
    setTrouble('chatgpt', { kind: null });
    const lost = () => sumMetric(slow.monitoringUrl, 'bv_scans_leases_lost_total', 'platform="chatgpt"');
    await eventually(async () => expect(await lost()).toBe(1));
    expect(await findUnitEvents(harness, jobId)).toEqual([]);
    expect((await getScan(slow, plan, jobId)).data.units.answered).toBe(0);
  });

  test('a unit that was leased too often fails instead of crashing further workers', async () => {
    const idle = await start({ WORKER_CONCURRENCY: '0' });
    const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
    const jobId = await queue(idle, plan);
    await harness.query('update scan_units set attempts = 4 where job_id = $1', [jobId]);
    await start({ UNIT_MAX_ATTEMPTS: '4' });
    expect((await awaitJob(idle, plan, jobId)).status).toBe('failed');
    expect(await findUnits(harness, jobId)).toMatchObject([{ status: 'failed', error_kind: 'lost' }]);
  });

  test('a stop releases units at once without counting an attempt', async () => {
    setTrouble('chatgpt', { kind: 'hang' });
    const first = await start({ UNIT_TIMEOUT_MS: '60000', UNIT_LEASE_MS: '60000' });
    const plan = harness.registerPlan(planData({ prompts: 2, platforms: ['chatgpt'] }));
    const jobId = await queue(first, plan);
    await eventually(async () => {
      expect((await findUnits(harness, jobId)).map((unit) => unit.status)).toEqual(['running', 'running']);
    });
    await first.stop();
    expect(await findUnits(harness, jobId)).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    setTrouble('chatgpt', { kind: null });
    const second = await start();
    expect((await awaitJob(second, plan, jobId)).status).toBe('completed');
  });
});

describe('concurrency and rate', () => {
  test('concurrency is limited over all replicas', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const env = { CHATGPT_CONCURRENCY: '3' };
    const started = await Promise.all([start(env), start(env), start(env)]);
    const plan = harness.registerPlan(planData({ prompts: 20, platforms: ['chatgpt'] }));
    const jobId = await queue(started[0], plan);
    await awaitHeld(3);
    await Promise.all(started.map((replica) => awaitPolls(replica, 3)));
    expect((await findUnits(harness, jobId)).filter(({ status }) => status === 'running')).toHaveLength(3);
    expect(harness.simulator.state.held).toBe(3);
    setTrouble('chatgpt', { kind: 'slow', delayMs: 50 });
    await awaitJob(started[0], plan, jobId);
  });

  test('a unit whose answer waits for the database leaves its slot to another', async () => {
    setTrouble('chatgpt', { kind: 'hold' });
    const replica = await start({ CHATGPT_CONCURRENCY: '1', WORKER_CONCURRENCY: '1' });
    const plan = harness.registerPlan(planData({ prompts: 3, platforms: ['chatgpt'] }));
    const jobId = await queue(replica, plan);
    await awaitHeld(1);
    await using lock = await lockJob(harness, jobId);
    setTrouble('chatgpt', { kind: null });
    await eventually(async () => {
      const units = await findUnits(harness, jobId);
      expect(units.map(({ status }) => status).toSorted()).toEqual(['pending', 'running', 'running']);
    });
    await lock.release();
    expect((await awaitJob(replica, plan, jobId)).status).toBe('completed');
    expect((await findUnits(harness, jobId)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  test('a rate of 240 per minute is not exceeded', async () => {
    const env = { CHATGPT_PER_MINUTE: '240' };
    const [first] = await Promise.all([start(env), start(env)]);
    const plan = harness.registerPlan(planData({ prompts: 12, platforms: ['chatgpt'] }));
    const startedAt = performance.now();
    await awaitJob(first, plan, await queue(first, plan));
    // A burst of one second, then one unit every 250 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(((12 - 5) * 60_000) / 240 - 250);
  });
});

describe('fairness', () => {
  test('a small scan queued behind one of 10,000 units is served alongside it', async () => {
    const env = { CHATGPT_CONCURRENCY: '8' };
    const idle = await start({ ...env, WORKER_CONCURRENCY: '0' });
    const large = harness.registerPlan(planData({ prompts: 1_000, platforms: ['chatgpt'] }));
    const largeId = await queue(idle, large);
    await harness.query(
      `insert into scan_units (job_id, prompt_id, prompt_text, platform, country, virtual_time)
       select job_id, prompt_id, prompt_text, platform, 'C' || copy, virtual_time + 1000 * copy
         from scan_units, generate_series(1, 9) as copy where job_id = $1`,
      [largeId],
    );
    await harness.query('update scan_jobs set units_total = 10000 where id = $1', [largeId]);
    const small = harness.registerPlan(planData({ prompts: 10, platforms: ['chatgpt'] }));
    setTrouble('chatgpt', { kind: 'hold', after: 20 });
    await start(env);
    await awaitHeld(8);
    const smallId = await queue(idle, small);
    setTrouble('chatgpt', { kind: null });
    expect((await awaitJob(idle, small, smallId)).status).toBe('completed');
    const [row] = await harness.query<{ served: number }>(
      `select count(*)::int as served from scan_units where job_id = $1
         and finalized_at <= (select max(finalized_at) from scan_units where job_id = $2)`,
      [largeId, smallId],
    );
    // Twenty before the small scan, ten interleaved with it, and those in flight.
    expect(row?.served).toBeGreaterThanOrEqual(20);
    expect(row?.served).toBeLessThan(60);
  });
});
