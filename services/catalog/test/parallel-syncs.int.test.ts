import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrompt, getOrg, syncPrompts, updatePrompt } from '@bv/contract';
import { eventually, retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  addOrgWithBrand,
  addPrompt,
  type Catalog,
  countLockWaiters,
  countStatements,
  holdPromptLock,
  type OwnBrand,
  startCatalog,
} from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const createRows = (label: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `${label} ${index}`, countries: ['US', 'DE'] }));
/** A retry continues after the rows that the attempt before it has written. */
const sync = (ownBrand: OwnBrand, body: object, caller: object = { operationId: randomUUID() }) =>
  retryUnavailable(() => catalog.call(syncPrompts, { params: ownBrand, body, caller }));
const create = (ownBrand: OwnBrand, text: string) =>
  retryUnavailable(() => catalog.call(createPrompt, { params: ownBrand, body: { text, countries: ['US'] } }));
const setTag = ({ orgId }: OwnBrand, promptId: string, tag: string) =>
  retryUnavailable(() => catalog.call(updatePrompt, { params: { orgId, promptId }, body: { tags: [tag] } }));
const timed = async <T>(work: Promise<T>): Promise<{ response: T; ms: number }> => {
  const startedAt = performance.now();
  return { response: await work, ms: performance.now() - startedAt };
};

/** Whether each prompt is active according to the responses: more creations and reactivations than deactivations. */
function reportedState(responses: Awaited<ReturnType<typeof sync>>[]): Map<string, boolean> {
  const balance = new Map<string, number>();
  const steps: Record<string, number> = { created: 1, reactivated: 1, deactivated: -1 };
  for (const { action, prompt_id: id } of responses.flatMap(({ data }) => data.results)) {
    const step = steps[action];
    if (id !== null && step !== undefined) balance.set(id, (balance.get(id) ?? 0) + step);
  }
  return new Map([...balance].map(([id, count]) => [id, count === 1]));
}
async function storedState(ownBrand: OwnBrand): Promise<Map<string, boolean>> {
  const { rows } = await catalog.sql.query('select id, active from prompts where brand_id = $1', [
    ownBrand.brandId,
  ]);
  return new Map(rows.map(({ id, active }) => [id, active]));
}

/**
 * Returns whether the machine is fast enough for a dozen syncs of one brand: each waits at most 2 s for the batches of the
 * others, and what it then has not written fails.
 */
async function isFastEnough(): Promise<boolean> {
  const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
  const locks = await countStatements(catalog, 'catalog.try_prompt_lock');
  const { response, ms } = await timed(sync(ownBrand, { prompts: createRows('alone', 1_000) }));
  // Twenty batches, and perhaps the last of the other writes.
  expect((await countStatements(catalog, 'catalog.try_prompt_lock')) - locks).toBeLessThan(25);
  return response.data.summary.failed === 0 && (ms / 20) * 12 < 1_500;
}

const sorted = (state: Map<string, boolean>) => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

test('parallel syncs: twelve of 1,000 rows on one brand end in time, and the state is what they reported', async () => {
  const [ownBrand, other] = [
    await addOrgWithBrand(catalog, 'enterprise'),
    await addOrgWithBrand(catalog, 'enterprise'),
  ];
  const fastBefore = await isFastEnough();
  let running = true;
  const watch = async () => {
    const taken: { status: number; ms: number }[] = [];
    while (running) {
      const { response, ms } = await timed(create(other, `other ${taken.length}`));
      taken.push({ status: response.status, ms });
      await sleep(20);
    }
    return taken;
  };
  const others = watch();
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      timed(sync(ownBrand, { prompts: createRows(`s${n}`, 1_000), deactivate_missing: true })),
    ),
  );
  running = false;
  const fast = fastBefore && (await isFastEnough());
  for (const { response, ms } of responses) {
    expect(response.status).toBe(200);
    // The gateway waits for 30 s. A machine that was busy may need retries.
    expect(ms).toBeLessThan(fast ? 25_000 : 150_000);
    const { results } = response.data;
    expect(results.filter(({ index }) => index !== null)).toHaveLength(1_000);
    const codes = new Set(results.map(({ error }) => error?.code ?? 'none'));
    expect(['none', 'prompt_writes_busy']).toEqual(expect.arrayContaining([...codes]));
  }
  const reported = reportedState(responses.map(({ response }) => response));
  // Of 12,000. A machine that was busy at least writes a batch.
  expect(reported.size).toBeGreaterThanOrEqual(fast ? 3_000 : 50);
  expect(sorted(await storedState(ownBrand))).toEqual(sorted(reported));
  const { data } = await catalog.call(getOrg, { params: { orgId: ownBrand.orgId } });
  const active = [...reported.values()].filter((each) => each).length;
  expect(data.usage.prompts.used).toBe(active);
  const taken = await others;
  for (const { status } of taken) expect(status).toBe(201);
  const median = taken.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(taken.length / 2)];
  expect(median).toBeLessThan(fast ? 2_000 : 20_000);
});

test('parallel syncs: concurrent creates and updates succeed or return 409 prompt_writes_busy', async () => {
  const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
  const prompt = await addPrompt(catalog, ownBrand);
  const fast = await isFastEnough();
  const syncs = Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      sync(ownBrand, { prompts: createRows(`s${n}`, 400), deactivate_missing: false }),
    ),
  );
  const writes = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? create(ownBrand, `created ${n}`) : setTag(ownBrand, prompt.id, `t${n}`),
    ),
  );
  for (const { refusal } of writes.filter(({ status }) => status >= 400)) {
    expect(refusal).toMatchObject({ status: 409, code: 'prompt_writes_busy' });
  }
  const reported = reportedState(await syncs);
  // The queue serves in order of arrival, so syncs leave room for other writes.
  expect(writes.filter(({ status }) => status < 400).length).toBeGreaterThanOrEqual(fast ? 10 : 1);
  for (const { data } of writes.filter(({ status }) => status === 201)) reported.set(data.id, true);
  expect(sorted(await storedState(ownBrand))).toEqual(sorted(reported.set(prompt.id, true)));
});

test('a waiting write holds no connection: forty writes of a busy brand do not delay others', async () => {
  const [ownBrand, other] = [
    await addOrgWithBrand(catalog, 'enterprise'),
    await addOrgWithBrand(catalog, 'enterprise'),
  ];
  const prompt = await addPrompt(catalog, ownBrand);
  const release = await holdPromptLock(catalog, ownBrand);
  try {
    const readTheirBrand = 'catalog.find_(?:brand|prompt)"';
    const before = await countStatements(catalog, readTheirBrand);
    const waiting = Promise.all([
      ...Array.from({ length: 20 }, (_, n) => create(ownBrand, `p${n}`)),
      ...Array.from({ length: 10 }, (_, n) => setTag(ownBrand, prompt.id, `t${n}`)),
    ]);
    const syncing = Promise.all(
      Array.from({ length: 10 }, (_, n) => sync(ownBrand, { prompts: createRows(`s${n}`, 100) })),
    );
    let over = false;
    void Promise.allSettled([waiting, syncing]).then(() => (over = true));
    // Each write reads its brand or prompt, and then waits for the lock.
    await eventually(async () =>
      expect(await countStatements(catalog, readTheirBrand)).toBeGreaterThanOrEqual(before + 40),
    );
    expect(await countLockWaiters(catalog)).toBe(0);
    // As long as one of them waits: a write that waits for one of their connections ends after all of them.
    let served = 0;
    while (!over) {
      expect((await create(other, `other ${served}`)).status).toBe(201);
      if (!over) served += 1;
    }
    expect(served).toBeGreaterThan(0);
    for (const { refusal } of await waiting)
      expect(refusal).toMatchObject({ status: 409, code: 'prompt_writes_busy' });
    for (const { data } of await syncing) expect(data.summary.failed).toBe(data.summary.total);
  } finally {
    await release();
  }
  expect((await storedState(ownBrand)).size).toBe(1);
});

test('a sync ends within the time the gateway waits: rows that are not written by then fail', async () => {
  const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
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
    const { data } = await pending;
    expect(data.summary).toMatchObject({ total: 200, created: 50, failed: 150 });
    const codes = new Set(data.results.map(({ error }) => error?.code));
    expect(codes).toEqual(new Set([undefined, 'prompt_writes_busy']));
  } finally {
    blocker.release();
  }
  expect((await storedState(ownBrand)).size).toBe(50);
});

test('a sync that waits for a connection ends in time, and none of its rows are written', async () => {
  const busy = await Promise.all(Array.from({ length: 5 }, () => addOrgWithBrand(catalog, 'enterprise')));
  const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
  const blocker = await catalog.sql.connect();
  try {
    await blocker.query('begin');
    // Each of these syncs holds one of the five connections that syncs may hold.
    for (const { orgId } of busy) await blocker.query('select from orgs where id = $1 for update', [orgId]);
    const blocked = Promise.all(busy.map((each) => sync(each, { prompts: createRows('b', 1) })));
    await eventually(async () => expect(await countLockWaiters(catalog)).toBe(5));
    const waiting = timed(
      sync(ownBrand, { prompts: createRows('p', 100) }, { expiresAt: Date.now() + 13_000 }),
    );
    // It has 3 s. The statements of the others are cancelled after 10 s.
    const response = await Promise.race([waiting, sleep(8_000, undefined, { ref: false })]);
    await blocker.query('rollback');
    expect(response?.response.data.summary).toMatchObject({ total: 100, created: 0, failed: 100 });
    for (const each of await blocked) expect(each.status).toBe(200);
    await waiting;
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect((await storedState(ownBrand)).size).toBe(0);
});
