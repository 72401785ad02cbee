import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@bv/testkit';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { datasets } from '../cli/datasets.ts';
import { type FaultServer, hang, page, refuse, startFaultServer } from './fault-server.ts';
import { csv, header, line, mention } from './mentions.ts';
import { type CliOptions, createScratch, killAll, runCli, startCli } from './run-cli.ts';

const at = ['--org', 'o1', '--brand', 'b1', '--from', '2026-11-01', '--to', '2026-11-21'];
const stale = refuse(400, 'invalid_cursor', {}, { reason: 'stale' });
const revoked = refuse(401, 'invalid_api_key');
let server: FaultServer;
let scratch: Awaited<ReturnType<typeof createScratch>>;
let out: string;
beforeEach(async () => {
  scratch = await createScratch();
  out = join(scratch.path, 'out');
});
afterEach(async () => {
  killAll();
  await server.close();
  await scratch.remove();
});

const run = (words: string[], options: CliOptions = {}) =>
  runCli(['export', ...words, ...at, '--out', out], { baseUrl: server.baseUrl, ...options });
const files = async () => (await readdir(scratch.path)).toSorted();
const cursors = () => server.requests.map(({ url }) => url.searchParams.get('cursor'));

describe('formats', () => {
  test('csv: every page once, with filters on the first; text that is a formula is text', async () => {
    const formulas = ['=1+1', '+1', '-1', '@A1', '\tx', '＝1'].map((country) => mention(2, { country }));
    server = await startFaultServer([
      page([mention(1)], 'c1'),
      page(formulas, 'c2'),
      page([mention(3)], null),
    ]);
    const { code, out: printed, err } = await run(['mentions', '--platform', 'gemini']);
    expect([code, err.includes('bvk_')]).toEqual([0, false]);
    const [first, one, ...rest] = (await readFile(out, 'utf8')).split('\n');
    expect([first, one, rest.at(-2)]).toEqual([header, line(1), line(3)]);
    expect(rest.slice(0, 6).map((row) => row.split(',')[3])).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@A1",
      "'\tx",
      "'＝1",
    ]);
    expect(printed).toMatch(/^8 rows, \d+ bytes: /);
    expect(cursors()).toEqual([null, 'c1', 'c2']);
    expect(Object.fromEntries(server.requests[0]!.url.searchParams)).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      platform: 'gemini',
      limit: '1000',
    });
    expect(await files()).toEqual(['out']);
  });

  test('csv: a negative number stays a number, nested values are JSON', async () => {
    server = await startFaultServer([
      page([{ change: -1.5, platforms: [{ a: '"' }], window: undefined }], null),
    ]);
    expect((await run(['scores'])).code).toBe(0);
    const [, row] = (await readFile(out, 'utf8')).split('\n');
    expect(row).toContain(',-1.5,');
    expect(row).toContain('"[{""a"":""\\""""}]"');
  });

  test('ndjson: rows as returned, with fields of a later version', async () => {
    const rows = [mention(1, { new_field: { a: 1 } }), mention(2)];
    server = await startFaultServer([page(rows, null)]);
    expect((await run(['mentions', '--format', 'ndjson'])).code).toBe(0);
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual(rows);
  });

  test('parquet: typed columns; a stale list starts again', async () => {
    const rows = [mention(2), mention(3, { mentioned: false, position: null, sentiment: 50.5 })];
    server = await startFaultServer([page([mention(1)], 'c1'), stale, page(rows, null)]);
    expect((await run(['mentions', '--format', 'parquet'])).code).toBe(0);
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(out) });
    expect(read).toEqual(
      rows.map((row) => ({
        ...row,
        run_date: new Date('2026-11-21'),
        finalized_at: new Date('2026-11-21T03:12:53.509Z'),
      })),
    );
  });

  test('columns are the fields of the API', () => {
    const document = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
    ) as { components: { schemas: Record<string, { properties: object }> } };
    const names = {
      mentions: 'Mention',
      scores: 'Score',
      'share-of-voice': 'ShareOfVoice',
      breakdown: 'BreakdownRow',
      sources: 'Source',
      pages: 'CitedUrl',
      'discovered-brands': 'DiscoveredBrand',
      results: 'PromptResult',
    };
    expect(Object.keys(names)).toEqual(Object.keys(datasets));
    for (const [dataset, schema] of Object.entries(names)) {
      const { columns } = datasets[dataset as keyof typeof names];
      const fields = Object.keys(document.components.schemas[schema]!.properties);
      expect([dataset, Object.keys(columns)]).toEqual([dataset, fields]);
    }
  });
});

describe('an export that cannot go on', () => {
  test('a stale list starts again and has no row twice', async () => {
    server = await startFaultServer([
      page([mention(1)], 'c1'),
      stale,
      page([mention(7)], 'c2'),
      page([mention(8)], null),
    ]);
    expect((await run(['mentions'])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(csv(7, 8));
    expect(cursors()).toEqual([null, 'c1', null, 'c2']);
  });

  test('a key revoked in the middle: exit 1, and --resume continues after the last page', async () => {
    server = await startFaultServer([
      page([mention(1)], 'c1'),
      page([mention(2)], 'c2'),
      revoked,
      page([mention(3)], null),
    ]);
    const { code, err } = await run(['mentions']);
    expect(code).toBe(1);
    expect(err).toContain('the API refused the key (invalid_api_key)');
    expect(err).toContain('2 rows are in');
    expect(await files()).toEqual(['out.part', 'out.state.json']);
    const refused = await run(['mentions']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--resume or --force')]);
    const other = await run(['mentions', '--resume', '--country', 'DE']);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('other arguments')]);
    expect((await run(['mentions', '--resume'])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(csv(1, 2, 3));
    expect(cursors()).toEqual([null, 'c1', 'c2', 'c2']);
    expect(await files()).toEqual(['out']);
  });

  test('a full disk: exit 1 without a broken row, and --resume continues', async () => {
    const big = Array.from({ length: 300 }, (_, number) => mention(number));
    server = await startFaultServer([
      page([mention(1)], 'c1'),
      page(big, 'c2'),
      page(big, 'c2'),
      page([], null),
    ]);
    const { code, err } = await run(['mentions'], { maxFileBlocks: 4 });
    expect(code).toBe(1);
    expect(err).toContain('no space is left for the file');
    expect(err).toContain('1 rows are in');
    expect((await run(['mentions', '--resume'])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(csv(1, ...big.keys()));
    expect(cursors()).toEqual([null, 'c1', 'c1', 'c2']);
  });

  test.each(['SIGKILL', 'SIGINT'] as const)('a process that %s ended: --resume continues', async (signal) => {
    server = await startFaultServer([page([mention(1)], 'c1'), hang, page([mention(2)], null)]);
    const { child, ended } = startCli(['export', 'mentions', ...at, '--out', out], {
      baseUrl: server.baseUrl,
    });
    await eventually(() => expect(server.requests).toHaveLength(2));
    child.kill(signal);
    await ended;
    expect((await run(['mentions', '--resume'])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(csv(1, 2));
  });

  test('results: one list for each prompt; a restart and --resume keep the prompts before', async () => {
    const result = (id: string) => ({ id });
    const prompts = page([{ id: 'p1' }, { id: 'p2' }], null);
    server = await startFaultServer([
      prompts,
      page([result('a')], 'c1'),
      page([result('b')], null),
      page([result('c')], 'c2'),
      stale,
      page([result('d')], 'c3'),
      revoked,
      prompts,
      page([result('e')], null),
    ]);
    expect((await run(['results', '--format', 'ndjson'])).code).toBe(1);
    expect((await run(['results', '--format', 'ndjson', '--resume'])).code).toBe(0);
    const ids = (await readFile(out, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(ids).toEqual(['a', 'b', 'd', 'e'].map(result));
  });

  test('parquet leaves nothing and says so', async () => {
    server = await startFaultServer([page([mention(1)], 'c1'), revoked]);
    const { code, err } = await run(['mentions', '--format', 'parquet']);
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing is kept.')]);
    expect(await files()).toEqual([]);
  });
});

test('standard output gets the rows only; a list that goes stale after the first rows fails', async () => {
  server = await startFaultServer([page([mention(1)], null), page([mention(1)], 'c1'), stale]);
  const toPipe = (words: string[]) =>
    runCli(['export', ...words, ...at, '--out', '-'], { baseUrl: server.baseUrl });
  const { code, out: printed, err } = await toPipe(['mentions']);
  expect([code, printed, err]).toEqual([0, csv(1), expect.stringMatching(/^1 rows, \d+ bytes: -$/m)]);
  const cut = await toPipe(['mentions', '--format', 'ndjson']);
  expect([cut.code, cut.err]).toEqual([1, expect.stringContaining('the data changed while')]);
  expect(await files()).toEqual([]);
});

test('the end of the name is the format', async () => {
  server = await startFaultServer([page([mention(1)], null), page([mention(1)], null)]);
  out = join(scratch.path, 'm.PARQUET');
  expect((await run(['mentions'])).code).toBe(0);
  expect((await readFile(out, 'utf8')).slice(0, 4)).toBe('PAR1');
  out = join(scratch.path, 'm.jsonl');
  expect((await run(['mentions'])).code).toBe(0);
  expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(mention(1));
});

test('filters of a dataset are sent, booleans and names with a hyphen too', async () => {
  server = await startFaultServer([page([], null), page([], null)]);
  expect((await run(['breakdown', '--by', 'tag', '--prompt-kind', 'branded', '--series', 'week'])).code).toBe(
    0,
  );
  expect((await run(['pages', '--gap', '--domain', 'a.com', '--force'])).code).toBe(0);
  const [breakdown, pages] = server.requests.map(({ url }) => Object.fromEntries(url.searchParams));
  expect(breakdown).toMatchObject({ by: 'tag', prompt_kind: 'branded', series: 'week', limit: '200' });
  expect(pages).toMatchObject({ gap: 'true', domain: 'a.com' });
});

test('a key refused at the first page leaves no file', async () => {
  server = await startFaultServer([revoked]);
  const { code, err } = await run(['mentions']);
  expect([code, err]).toEqual([1, expect.stringMatching(/Nothing is kept\.$/m)]);
  expect(await files()).toEqual([]);
});

describe('an existing file', () => {
  test('is refused before a request, and replaced with --force', async () => {
    server = await startFaultServer([page([mention(1)], null)]);
    await writeFile(out, 'precious');
    const { code, err } = await run(['mentions']);
    expect([code, err]).toEqual([2, expect.stringContaining('exists: pass --force')]);
    expect(await readFile(out, 'utf8')).toBe('precious');
    expect((await run(['mentions', '--force'])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(csv(1));
  });
});
