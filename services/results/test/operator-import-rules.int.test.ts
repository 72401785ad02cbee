import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { findBrandRpc, findPromptRpc, type RpcServer, serveRpc } from '@bv/events';
import { testCaller } from '@bv/testkit';
import { emitRivals, type Harness, knows, log, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
let now = new Date('2026-11-21T12:00:00Z');
let subjects: Awaited<ReturnType<typeof emitRivals>>;

beforeAll(async () => {
  results = await startResults({ now: () => now });
  const serving = { queue: 'catalog', log };
  servers = [
    serveRpc(results.connection, findBrandRpc, async () => null, serving),
    serveRpc(results.connection, findPromptRpc, async () => null, serving),
    serveMarkets(results),
  ];
  subjects = await emitRivals(results);
  await knows(results, { brands: [subjects.own, subjects.rival], prompts: [subjects.prompt] });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

const line = (overrides: Record<string, unknown> = {}): string =>
  JSON.stringify({
    unit_id: randomUUID(),
    brand_id: subjects.own.id,
    prompt_id: subjects.prompt.id,
    platform: 'gemini',
    country: 'DE',
    run_date: '2026-11-19',
    outcome: 'answered',
    brands: [{ brand_id: subjects.own.id, position: 1, sentiment: 90 }],
    sources: [],
    ...overrides,
  });

const send = (body: string | ReadableStream, query = '') =>
  results.call({
    method: 'POST',
    path: `/operator/v1/results/import${query}`,
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });

describe('an invalid line is rejected by its number', () => {
  test('a run_date after today (UTC) and one before 2015-01-01; both ends of the range are accepted', async () => {
    now = new Date('2026-11-21T23:59:59.999Z');
    const days = [
      '2026-11-21',
      '2026-11-22',
      '2099-01-01',
      '9999-12-31',
      '2015-01-01',
      '2014-12-31',
      '1970-01-01',
    ];
    const { status, body } = await send(days.map((run_date) => line({ run_date })).join('\n'));
    expect([status, body.data]).toEqual([
      201,
      {
        imported: 2,
        duplicates: 0,
        skipped: 0,
        rejected: [
          { line: 2, error: 'run_date: 2026-11-22 is after today, 2026-11-21 (UTC)' },
          { line: 3, error: 'run_date: 2099-01-01 is after today, 2026-11-21 (UTC)' },
          { line: 4, error: 'run_date: 9999-12-31 is after today, 2026-11-21 (UTC)' },
          { line: 6, error: 'run_date: 2014-12-31 is before 2015-01-01' },
          { line: 7, error: 'run_date: 1970-01-01 is before 2015-01-01' },
        ],
      },
    ]);
    now = new Date('2026-11-22T00:00:00Z');
    expect((await send(line({ run_date: '2026-11-22' }))).body.data).toMatchObject({ imported: 1 });
    now = new Date('2026-11-21T12:00:00Z');
  });

  test('a country that is not a market, unless unknown markets are allowed', async () => {
    const countries = ['USA', 'us', ' de ', 'XX', 'FR'];
    const lines = countries.map((country) => line({ country })).join('\n');
    const rejected = [
      { line: 1, error: 'country: USA is not a market' },
      { line: 4, error: 'country: XX is not a market' },
      { line: 5, error: 'country: FR is not a market' },
    ];
    for (const query of ['', '?allow_unknown_markets=false']) {
      const { body } = await send(lines, query);
      expect(body.data).toMatchObject({ rejected, skipped: 0 });
    }
    expect((await send(lines, '?allow_unknown_markets=true')).body.data).toEqual({
      imported: 3,
      duplicates: 2,
      skipped: 0,
      rejected: [],
    });
    const future = await send(line({ country: 'XX', run_date: '2026-11-22' }), '?allow_unknown_markets=true');
    expect(future.body.data).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
  });

  test.each(['yes', '1', 'TRUE', ''])('400 validation_error: allow_unknown_markets=%s', async (value) => {
    const { status, body } = await send(line(), `?allow_unknown_markets=${value}`);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([
      400,
      'validation_error',
      'allow_unknown_markets',
    ]);
  });

  test('the error of a line that is no object has no path; the error of an unknown outcome has one', async () => {
    const lines = ['[1,2]', 'null', '7', '"x"', line({ outcome: 'maybe' }), line({ outcome: undefined })];
    const { body } = await send(lines.join('\n'));
    expect(body.data.rejected.map(({ error }: { error: string }) => error)).toEqual([
      'Invalid input: expected object, received array',
      'Invalid input: expected object, received null',
      'Invalid input: expected object, received number',
      'Invalid input: expected object, received string',
      expect.stringMatching(/^outcome: Invalid/),
      expect.stringMatching(/^outcome: Invalid/),
    ]);
  });
});

test('a line with the outcome failed is accepted, not stored and counted as skipped', async () => {
  const unit_id = randomUUID();
  const units = await results.query('select 1 from units');
  const failed = [
    line({ outcome: 'failed', unit_id }),
    line({ outcome: 'failed', brands: undefined, sources: undefined }),
  ];
  const { status, body } = await send([...failed, line({ run_date: '2026-11-22' })].join('\n'));
  expect([status, body.data]).toMatchObject([
    201,
    { imported: 0, duplicates: 0, skipped: 2, rejected: [{ line: 3 }] },
  ]);
  expect(await results.query('select 1 from units')).toHaveLength(units.length);
  // Its id can be imported later.
  expect((await send(line({ unit_id }))).body.data).toMatchObject({ imported: 1, duplicates: 0 });
});

test('a day in the future is not the latest day of the summary', async () => {
  const { own } = subjects;
  now = new Date('2026-11-25T12:00:00Z');
  const lines = [line({ run_date: '2026-11-20' }), line({ run_date: '2026-11-24', brands: [] })];
  expect((await send(lines.join('\n'))).body.data).toMatchObject({ imported: 2 });
  now = new Date('2026-11-23T12:00:00Z');
  const summary = await results.get(own.org_id, `/orgs/${own.org_id}/brands/summary`);
  expect(summary.body.data).toMatchObject([{ id: own.id, score_date: '2026-11-22' }]);
  const path = `/orgs/${own.org_id}/brands/${own.id}/scores?to=2026-11-24&limit=1`;
  expect((await results.get(own.org_id, path)).body.data).toMatchObject([
    { run_date: '2026-11-24', score: 0, previous_score: 100 },
  ]);
});

test('a line in 1-byte chunks is imported like any other', async () => {
  const answer_text = 'x'.repeat(400_000);
  const bytes = Buffer.from(`${line({ answer_text })}\n`);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      for (let piece = 0; piece < 1_000 && at < bytes.length; piece += 1, at += 1) {
        controller.enqueue(bytes.subarray(at, at + 1));
      }
      if (at === bytes.length) controller.close();
    },
  });
  expect((await send(stream)).body.data).toMatchObject({ imported: 1, rejected: [] });
});
