import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  findBrandRpc,
  findPromptRpc,
  promptChanged,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
const own = brandData({ org_id: competitor.org_id });
const linked = {
  ...own,
  competitors: [{ id: competitor.id, name: 'Rival', domain: 'rival.com', aliases: [] }],
};
const prompt = promptData(own);

/** The projection has the brand without its competitor. Only the catalog has the linked competitor. */
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  const brands = new Map([
    [own.id, { version: 2, data: linked }],
    [competitor.id, { version: 1, data: competitor }],
  ]);
  servers = [
    serveRpc(results.connection, findBrandRpc, async ({ id }) => brands.get(id) ?? null, {
      queue: 'catalog',
      log,
    }),
    serveRpc(results.connection, findPromptRpc, async () => null, { queue: 'catalog', log }),
    serveMarkets(results),
  ];
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  await eventually(async () => {
    expect(await results.query('select 1 from brands')).toHaveLength(1);
    expect(await results.query('select 1 from prompts')).toHaveLength(1);
  });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

const line = (overrides: Record<string, unknown> = {}) =>
  JSON.stringify({
    unit_id: randomUUID(),
    brand_id: own.id,
    prompt_id: prompt.id,
    platform: 'gemini',
    country: 'DE',
    run_date: '2026-11-19',
    outcome: 'answered',
    answer_text: 'Acme leads.',
    brands: [{ brand_id: own.id, position: 1, sentiment: 90 }],
    sources: [],
    ...overrides,
  });

const send = (body: string | Buffer) =>
  results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });

describe('201', () => {
  test('a competitor that was just linked is accepted', async () => {
    const { status, body } = await send(
      line({ run_date: '2026-10-01', brands: [{ brand_id: competitor.id, position: 1, sentiment: null }] }),
    );
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: { imported: 1, duplicates: 0, skipped: 0, rejected: [] },
    });
    const shares = await results.get(
      own.org_id,
      `/orgs/${own.org_id}/brands/${own.id}/share-of-voice?from=2026-10-01&to=2026-10-01`,
    );
    expect(shares.body.data).toMatchObject([
      { brand_id: competitor.id, rank: 1, share_of_voice: 100 },
      { brand_id: own.id, rank: 2, share_of_voice: 0 },
    ]);
  });

  test('of lines with the same unit id the first is stored, within an import and across imports; the others are duplicates', async () => {
    const unit_id = randomUUID();
    const withAnswer = (answer_text: string) => line({ unit_id, answer_text });
    const { status, body } = await send(
      [withAnswer('first'), withAnswer('second'), withAnswer('third')].join('\n'),
    );
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: { imported: 1, duplicates: 2, skipped: 0, rejected: [] },
    });
    const token = 'select version from brand_tokens where brand_id = $1';
    const before = await results.query(token, [own.id]);
    expect((await send(withAnswer('fourth'))).body.data).toEqual({
      imported: 0,
      duplicates: 1,
      skipped: 0,
      rejected: [],
    });
    expect(await results.query(token, [own.id])).toEqual(before);
    expect(await results.query('select answer_text from units where id = $1', [unit_id])).toEqual([
      { answer_text: 'first' },
    ]);
  });

  test('every invalid line is reported, even if there are many', async () => {
    const { body } = await send(`${'x\n'.repeat(12_345)}${line()}`);
    expect(body.data).toMatchObject({ imported: 1, duplicates: 0 });
    expect(body.data.rejected).toHaveLength(12_345);
    expect(body.data.rejected.at(-1)).toEqual({ line: 12_345, error: 'not valid JSON' });
  });

  test('only a line feed ends a line: a text may contain any other separator', async () => {
    const text = 'one\u2028two\u2029three\u0085four';
    const id = randomUUID();
    const { body } = await send(`${line({ unit_id: id, answer_text: text })}\r\n`);
    expect(body.data).toEqual({ imported: 1, duplicates: 0, skipped: 0, rejected: [] });
    expect(await results.query('select answer_text from units where id = $1', [id])).toEqual([
      { answer_text: text },
    ]);
  });

  test('a line with values that cannot be stored is rejected by its number; the other lines are imported', async () => {
    const bad = [
      line({ brands: [{ brand_id: own.id, position: 3_000_000_000, sentiment: 1 }] }),
      line({ brands: [{ brand_id: own.id, position: 1, sentiment: 1, mention_count: 3_000_000_000 }] }),
      line({ run_date: '0000-01-01' }),
      line({ finalized_at: '0000-01-01T00:00:00Z' }),
      line({ finalized_at: '9999-12-31T23:59:59.9999999Z' }),
      line({ sources: [{ url: 'example.com/page' }] }),
      line({ sources: [{ url: 'https://a.com/\u0000' }] }),
      line({ sources: [{ url: 'https://a.com/\ud800' }] }),
      line({ sources: [{ url: `https://${'a'.repeat(300)}.com/` }] }),
      // A market that is longer than the filter accepts could never be requested.
      line({ country: 'ß'.repeat(200) }),
      line({ answer_text: 'x\u0000' }),
    ];
    const invalidUtf8 = Buffer.concat([
      Buffer.from(`${line().slice(0, -1)},"model":"`),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]);
    const body = Buffer.concat([
      Buffer.from(`${[line(), ...bad].join('\n')}\n`),
      invalidUtf8,
      Buffer.from(`\n${line()}`),
    ]);
    const response = await send(body);
    expect(response.status).toBe(201);
    expect(response.body.data.rejected.map((entry: { line: number }) => entry.line)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(response.body.data).toMatchObject({ imported: 2, duplicates: 0 });
  });

  test('a line over the size limit is rejected', async () => {
    const { status, body } = await send(`${line()}\n"${'x'.repeat(20_000_000)}"\n${line()}\n`);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      imported: 2,
      duplicates: 0,
      skipped: 0,
      rejected: [{ line: 2, error: expect.stringContaining('longer than') }],
    });
  });

  test('days of an import whose process ended early are scored by the next process that starts', async () => {
    await send(line({ run_date: '2026-09-01' }));
    await results.query('delete from scores where brand_id = $1 and run_date = $2', [own.id, '2026-09-01']);
    await results.query('insert into unscored_days values ($1, $2)', [own.id, '2026-09-01']);
    await results.startReplica();
    const path = `/orgs/${own.org_id}/brands/${own.id}/scores?from=2026-09-01&to=2026-09-01`;
    await eventually(async () => {
      expect((await results.get(own.org_id, path)).body.data).toMatchObject([{ score: 100 }]);
    });
    expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
  });
});
