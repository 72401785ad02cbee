import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorReprocessBrands, reprocessBrand } from '@bv/contract';
import { type EventData, findOrgRpc, type orgChanged, type RpcServer, serveRpc } from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import { brandData } from './events.ts';
import { addToCatalog, type Results, startResults, toBrandParams } from './results.ts';
import { startWorkerProcess } from './worker-process.ts';

const known = new Map<string, EventData<typeof orgChanged>>();

function addOrg(deleted_at: string | null = null): string {
  const id = randomUUID();
  const at = '2026-11-20T10:00:00Z';
  known.set(id, {
    id,
    name: 'Acme',
    tier: 'scale',
    api_access: true,
    on_demand_scans: true,
    limits: { prompts: 1, own_brands: 1, countries: 1, competitors_per_brand: 1, manual_scans: 1 },
    retention: { answer_text_days: null, unit_days: null },
    created_at: at,
    updated_at: at,
    deleted_at,
    purge_requested_at: null,
  });
  return id;
}

let results: Results;
let catalog: RpcServer;
beforeAll(async () => {
  // Without a worker, so that the jobs stay queued.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '0' } });
  catalog = serveRpc(
    results.connection,
    findOrgRpc,
    async ({ id }) => {
      const data = known.get(id);
      return data === undefined ? null : { version: 1, data };
    },
    { queue: 'catalog', log: results.log },
  );
});
afterAll(async () => {
  await catalog.stop();
  await results.stop();
});

const request = (body: unknown) => results.call(operatorReprocessBrands, { body });

test('queues a job for each own brand of an organisation, archived ones included', async () => {
  const orgId = addOrg();
  const own = brandData({ org_id: orgId });
  const archived = brandData({ org_id: orgId, sunset_at: '2026-11-20T00:00:00Z' });
  const competitor = brandData({ org_id: orgId, is_own: false });
  const other = brandData();
  await addToCatalog(results, { brands: [own, archived, competitor, other] });
  const response = await request({ org_id: orgId, from: '2026-11-01' });
  expect(response.status).toBe(202);
  expect(response.data).toEqual({ queued: 2, in_progress: 0 });
  expect(
    await results.query(
      `select brand_id, from_date::text, to_date::text from reprocess_jobs where org_id = $1 order by brand_id`,
      [orgId],
    ),
  ).toEqual(
    [own.id, archived.id]
      .toSorted()
      .map((brand_id) => ({ brand_id, from_date: '2026-11-01', to_date: '2026-11-21' })),
  );
  expect((await request({ org_id: orgId })).data).toEqual({ queued: 0, in_progress: 2 });
});

test('queues the own brands of all organisations; a brand with an open job keeps it', async () => {
  const [first, second] = [brandData(), brandData()];
  await addToCatalog(results, { brands: [first, second] });
  const open = await results.call(reprocessBrand, { params: toBrandParams(first) });
  const [{ brands }] = (await results.query<{ brands: number }>(
    'select count(*)::int as brands from brands where is_own',
  )) as [{ brands: number }];
  const [{ jobs }] = (await results.query<{ jobs: number }>(
    'select count(*)::int as jobs from reprocess_jobs',
  )) as [{ jobs: number }];
  expect((await request({ all: true })).data).toEqual({ queued: brands - jobs, in_progress: jobs });
  expect(await results.query('select id from reprocess_jobs where brand_id = $1', [first.id])).toEqual([
    { id: open.data.job_id },
  ]);
  // A job of a client runs first.
  expect(
    await results.query(
      'select by_operator from reprocess_jobs where brand_id = any($1::uuid[]) order by 1',
      [[first.id, second.id]],
    ),
  ).toEqual([{ by_operator: false }, { by_operator: true }]);
});

test('two requests at the same time queue each brand once', async () => {
  const orgId = addOrg();
  await addToCatalog(results, { brands: Array.from({ length: 20 }, () => brandData({ org_id: orgId })) });
  const responses = await Promise.all([request({ org_id: orgId }), request({ org_id: orgId })]);
  expect(responses.reduce((sum, { data }) => sum + data.queued, 0)).toBe(20);
  expect(responses.reduce((sum, { data }) => sum + data.in_progress, 0)).toBe(20);
});

describe('a request of a client', () => {
  async function queueByOperator() {
    const own = brandData({ org_id: addOrg() });
    await addToCatalog(results, { brands: [own] });
    const window = { from: '2026-10-01', to: '2026-10-31' };
    expect((await request({ org_id: own.org_id, ...window })).data.queued).toBe(1);
    const requestByClient = (
      body: { from?: string; to?: string } = { from: '2026-11-01', to: '2026-11-10' },
    ) => results.call(reprocessBrand, { params: toBrandParams(own), body });
    return { own, requestByClient };
  }

  test('takes over a job that has not begun, with both windows; of several at the same time one does', async () => {
    const { own, requestByClient } = await queueByOperator();
    const responses = await Promise.all(Array.from({ length: 8 }, () => requestByClient()));
    const [taken, ...others] = responses.toSorted((a, b) => a.status - b.status);
    expect(taken).toMatchObject({
      status: 202,
      data: { status: 'queued', from: '2026-10-01', to: '2026-11-10', started_at: null },
    });
    for (const { refusal } of others) {
      expect(refusal).toMatchObject({
        code: 'reprocess_in_progress',
        details: { job_id: taken?.data.job_id },
      });
    }
    expect(
      await results.query('select id, by_operator from reprocess_jobs where brand_id = $1', [own.id]),
    ).toEqual([{ id: taken?.data.job_id, by_operator: false }]);
  });

  test('does not narrow the window of the job that it takes over', async () => {
    const { requestByClient } = await queueByOperator();
    const { data } = await requestByClient({ from: '2026-10-10', to: '2026-10-11' });
    expect(data).toMatchObject({ from: '2026-10-01', to: '2026-10-31' });
  });

  test('gets 409 while a worker runs the job', async () => {
    const { own, requestByClient } = await queueByOperator();
    const begun = await results.query(
      `update reprocess_jobs set status = 'running', started_at = clock_timestamp() where brand_id = $1 returning id`,
      [own.id],
    );
    expect((await requestByClient()).refusal).toEqual({
      status: 409,
      code: 'reprocess_in_progress',
      details: { job_id: begun[0]?.['id'] },
    });
  });
});

describe('refusals', () => {
  test('404 for an organisation that is unknown or deleted', async () => {
    for (const org_id of [randomUUID(), addOrg('2026-11-20T00:00:00Z')]) {
      expect((await request({ org_id })).refusal).toEqual({ status: 404, code: 'not_found' });
    }
  });

  test.each([
    [{ all: true, from: '2026-11-02', to: '2026-11-01' }, 'window_inverted'],
    [{ all: true, from: '2025-11-01', to: '2026-11-03' }, 'window_too_wide'],
    [{ org_id: 'x' }, 'invalid_format'],
    [{}, 'invalid_value'],
    [{ all: false }, 'invalid_value'],
    [{ all: true, org_id: randomUUID() }, 'invalid_value'],
    [{ orgid: randomUUID() }, 'unrecognized_keys'],
  ])('400 validation_error: %j', async (body, code) => {
    expect((await request(body)).refusal).toMatchObject({
      code: 'validation_error',
      details: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  test('401 for a caller that is not the operator', async () => {
    const response = await results.call(operatorReprocessBrands, {
      body: { all: true },
      caller: testCaller(),
    });
    expect(response.status).toBe(401);
  });
});

test('a worker reads nothing of an organisation that was deleted after the request', async () => {
  const own = brandData({ org_id: addOrg() });
  await addToCatalog(results, { brands: [own] });
  await request({ org_id: own.org_id });
  const org = known.get(own.org_id)!;
  known.set(own.org_id, { ...org, deleted_at: '2026-11-20T10:00:00Z' });
  const worker = startWorkerProcess(results);
  await eventually(async () => {
    const [job] = await results.query(
      'select status, identity_hash from reprocess_jobs where brand_id = $1',
      [own.id],
    );
    expect(job).toEqual({ status: 'completed', identity_hash: null });
  });
  await worker.end();
});
