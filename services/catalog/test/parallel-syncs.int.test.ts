import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Catalog,
  createBrand,
  createPrompt,
  lockWaiters,
  refusal,
  startCatalog,
  type Wire,
} from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

type OwnBrand = { orgId: string; id: string };
const createOrgWithBrand = async (): Promise<OwnBrand> => {
  const orgId = await catalog.createOrg('enterprise');
  return { orgId, id: (await createBrand(catalog, orgId)).id as string };
};
const createRows = (label: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `${label} ${index}`, countries: ['US', 'DE'] }));
const sync = (ownBrand: OwnBrand, body: object, caller: object = {}) =>
  catalog.call('PUT', `/orgs/${ownBrand.orgId}/brands/${ownBrand.id}/prompts`, body, caller);
const create = (ownBrand: OwnBrand, text: string) =>
  catalog.call('POST', `/orgs/${ownBrand.orgId}/brands/${ownBrand.id}/prompts`, { text, countries: ['US'] });
const timed = async <T>(work: Promise<T>): Promise<{ response: T; ms: number }> => {
  const startedAt = performance.now();
  return { response: await work, ms: performance.now() - startedAt };
};

/** Whether each prompt is active according to the responses: more creations and reactivations than deactivations. */
function reportedState(responses: Wire[]): Map<string, boolean> {
  const balance = new Map<string, number>();
  const steps: Record<string, number> = { created: 1, reactivated: 1, deactivated: -1 };
  for (const { action, prompt_id: id } of responses.flatMap(({ body }) => body.data.results)) {
    if (action in steps) balance.set(id, (balance.get(id) ?? 0) + (steps[action] ?? 0));
  }
  return new Map([...balance].map(([id, count]) => [id, count === 1]));
}
async function storedState(ownBrand: OwnBrand): Promise<Map<string, boolean>> {
  const { rows } = await catalog.sql.query('select id, active from prompts where brand_id = $1', [
    ownBrand.id,
  ]);
  return new Map(rows.map(({ id, active }) => [id, active]));
}
const sorted = (state: Map<string, boolean>) => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

test.each([false, true])(
  'parallel syncs: twelve of 1,000 rows on one brand end in time, and the state is what they reported (deactivate_missing: %s)',
  async (deactivate) => {
    const [ownBrand, other] = [await createOrgWithBrand(), await createOrgWithBrand()];
    let running = true;
    const watch = async () => {
      const taken: { response: Wire; ms: number }[] = [];
      while (running) {
        taken.push(await timed(create(other, `other ${taken.length}`)));
        await sleep(20);
      }
      return taken;
    };
    const others = watch();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        timed(sync(ownBrand, { prompts: createRows(`s${n}`, 1_000), deactivate_missing: deactivate })),
      ),
    );
    running = false;
    for (const { response, ms } of responses) {
      expect(response.status).toBe(200);
      // The gateway waits for 30 s.
      expect(ms).toBeLessThan(25_000);
      const results: Wire[] = response.body.data.results;
      expect(results.filter(({ index }) => index !== null)).toHaveLength(1_000);
      for (const { error } of results) if (error) expect(error.code).toBe('prompt_writes_busy');
    }
    const reported = reportedState(responses.map(({ response }) => response));
    // Of 12,000: a quarter is enough for a slow machine.
    expect(reported.size).toBeGreaterThanOrEqual(3_000);
    expect(sorted(await storedState(ownBrand))).toEqual(sorted(reported));
    const { body } = await catalog.call('GET', `/orgs/${ownBrand.orgId}`);
    const active = [...reported.values()].filter((each) => each).length;
    expect(body.data.usage.prompts.used).toBe(active);
    const taken = await others;
    for (const { response } of taken) expect(response.status).toBe(201);
    const median = taken.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(taken.length / 2)];
    expect(median).toBeLessThan(2_000);
  },
);

test('parallel syncs: concurrent creates and updates succeed or return 409 prompt_writes_busy', async () => {
  const ownBrand = await createOrgWithBrand();
  const prompt = await createPrompt(catalog, ownBrand);
  const syncs = Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      sync(ownBrand, { prompts: createRows(`s${n}`, 400), deactivate_missing: false }),
    ),
  );
  const writes = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0
        ? create(ownBrand, `created ${n}`)
        : catalog.call('PATCH', `/orgs/${ownBrand.orgId}/prompts/${prompt.id}`, { tags: [`t${n}`] }),
    ),
  );
  for (const response of writes) {
    if (response.status >= 400)
      expect(refusal(response)).toMatchObject({ status: 409, code: 'prompt_writes_busy' });
  }
  const reported = reportedState(await syncs);
  // The queue serves in order of arrival, so syncs leave room for other writes.
  expect(writes.filter(({ status }) => status < 400).length).toBeGreaterThanOrEqual(10);
  for (const { status, body } of writes) if (status === 201) reported.set(body.data.id, true);
  expect(sorted(await storedState(ownBrand))).toEqual(sorted(reported.set(prompt.id, true)));
});

test('a waiting write holds no connection: forty writes of a busy brand do not delay others', async () => {
  const [ownBrand, other] = [await createOrgWithBrand(), await createOrgWithBrand()];
  const prompt = await createPrompt(catalog, ownBrand);
  const holder = await catalog.sql.connect();
  try {
    await holder.query('begin');
    const lock = `select pg_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0))`;
    await holder.query(lock, [ownBrand.id]);
    const waiting = Promise.all([
      ...Array.from({ length: 20 }, (_, n) => create(ownBrand, `p${n}`)),
      ...Array.from({ length: 10 }, (_, n) =>
        catalog.call('PATCH', `/orgs/${ownBrand.orgId}/prompts/${prompt.id}`, { tags: [`t${n}`] }),
      ),
      ...Array.from({ length: 10 }, (_, n) => sync(ownBrand, { prompts: createRows(`s${n}`, 100) })),
    ]);
    let over = false;
    void waiting.then(() => (over = true));
    await sleep(500);
    const taken: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { response, ms } = await timed(create(other, `other ${n}`));
      expect(response.status).toBe(201);
      taken.push(ms);
    }
    expect(Math.max(...taken)).toBeLessThan(1_000);
    const { rows } = await catalog.sql.query(
      `select count(*)::int as waiting from pg_stat_activity
       where application_name = 'catalog' and datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows[0].waiting).toBe(0);
    expect(over).toBe(false);
    for (const response of await waiting) {
      if (response.status !== 200)
        expect(refusal(response)).toMatchObject({ status: 409, code: 'prompt_writes_busy' });
      else expect(response.body.data.summary.failed).toBe(response.body.data.summary.total);
    }
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await storedState(ownBrand)).size).toBe(1);
});

test('a sync ends within the time the gateway waits: rows that are not written by then fail', async () => {
  const ownBrand = await createOrgWithBrand();
  const blocker = await catalog.sql.connect();
  try {
    await blocker.query('begin');
    await blocker.query('select from orgs where id = $1 for update', [ownBrand.orgId]);
    const pending = sync(
      ownBrand,
      { prompts: createRows('p', 200) },
      // The caller of a gateway that waits for 3 s: the sync writes for at most 2 s.
      { expiresAt: Date.now() + 13_000 },
    );
    await sleep(2_500);
    await blocker.query('rollback');
    const { body } = await pending;
    expect(body.data.summary).toMatchObject({ total: 200, created: 50, failed: 150 });
    const codes = new Set(body.data.results.map(({ error }: Wire) => error?.code));
    expect(codes).toEqual(new Set([undefined, 'prompt_writes_busy']));
  } finally {
    blocker.release();
  }
  expect((await storedState(ownBrand)).size).toBe(50);
});

test('a sync that waits for a connection ends in time, and none of its rows are written', async () => {
  const busy = await Promise.all(Array.from({ length: 5 }, createOrgWithBrand));
  const ownBrand = await createOrgWithBrand();
  const blocker = await catalog.sql.connect();
  try {
    await blocker.query('begin');
    // Each of these syncs holds one of the five connections that syncs may hold.
    for (const { orgId } of busy) await blocker.query('select from orgs where id = $1 for update', [orgId]);
    const blocked = Promise.all(busy.map((each) => sync(each, { prompts: createRows('b', 1) })));
    await eventually(async () => expect(await lockWaiters(catalog)).toBe(5));
    const waiting = timed(
      sync(ownBrand, { prompts: createRows('p', 100) }, { expiresAt: Date.now() + 13_000 }),
    );
    const response = await Promise.race([waiting, sleep(5_000, undefined, { ref: false })]);
    await blocker.query('rollback');
    expect(response?.response.body.data.summary).toMatchObject({ total: 100, created: 0, failed: 100 });
    for (const each of await blocked) expect(each.status).toBe(200);
    await waiting;
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect((await storedState(ownBrand)).size).toBe(0);
});
