/** Exports of windows that the API accepts only in parts. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultServer, page, refuse, startFaultServer } from './fault-server.ts';
import { csv, mention } from './mentions.ts';
import { createScratch, killAll, runCli } from './run-cli.ts';

const at = ['--org', 'o1', '--brand', 'b1', '--from', '2024-11-01', '--to', '2026-11-21'];
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

const run = (words: string[]) =>
  runCli(['export', ...words, ...at, '--out', out], { baseUrl: server.baseUrl });
const windows = () =>
  server.requests.map(({ url: { searchParams: sent } }) => [
    sent.get('from'),
    sent.get('to'),
    sent.get('cursor'),
  ]);
const [newest, middle, oldest] = [
  ['2025-11-20', '2026-11-21'],
  ['2024-11-18', '2025-11-19'],
  ['2024-11-01', '2024-11-17'],
] as const;

test('is read in parts, newest first, without a gap or a common day', async () => {
  server = await startFaultServer([
    page([mention(1)], 'c1'),
    page([mention(2)], null),
    page([mention(3)], null),
    page([mention(4)], null),
  ]);
  expect((await run(['mentions'])).code).toBe(0);
  expect(await readFile(out, 'utf8')).toBe(csv(1, 2, 3, 4));
  expect(windows()).toEqual([
    [...newest, null],
    [...newest, 'c1'],
    [...middle, null],
    [...oldest, null],
  ]);
});

test('continues in the part where it stopped; a stale part alone starts again', async () => {
  server = await startFaultServer([
    page([mention(1)], null),
    page([mention(2)], 'c1'),
    revoked,
    stale,
    page([mention(3)], null),
    page([mention(4)], null),
  ]);
  expect((await run(['mentions'])).code).toBe(1);
  expect((await run(['mentions', '--resume'])).code).toBe(0);
  expect(await readFile(out, 'utf8')).toBe(csv(1, 3, 4));
  expect(windows().slice(2)).toEqual([
    [...middle, 'c1'],
    [...middle, 'c1'],
    [...middle, null],
    [...oldest, null],
  ]);
});

test('results: each prompt in all parts', async () => {
  const prompts = page([{ id: 'p1' }, { id: 'p2' }], null);
  const pages = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => page([{ id }], null));
  server = await startFaultServer([prompts, ...pages]);
  expect((await run(['results', '--format', 'ndjson'])).code).toBe(0);
  const paths = server.requests.slice(1).map(({ url }) => url.pathname.split('/').at(-2));
  expect(paths).toEqual(['p1', 'p1', 'p1', 'p2', 'p2', 'p2']);
  expect(windows().slice(1, 4)).toEqual([
    [...newest, null],
    [...middle, null],
    [...oldest, null],
  ]);
});

test('sources are figures of one window: the API refuses it', async () => {
  server = await startFaultServer([refuse(400, 'validation_error')]);
  const { code, err } = await run(['sources']);
  expect([code, err]).toEqual([1, expect.stringContaining('validation_error')]);
  expect(windows()).toEqual([['2024-11-01', '2026-11-21', null]]);
});
