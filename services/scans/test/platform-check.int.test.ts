import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readPlatformCheckConfig } from '../src/config.ts';
import { parseChatgpt } from '../src/platforms/chatgpt.ts';
import { parseClaude } from '../src/platforms/claude.ts';
import { runPlatformsCommand } from '../src/platforms/platform-check.ts';
import { listFields, redact } from '../src/platforms/recorded-fields.ts';

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await createSimulator();
  folder = await mkdtemp(join(tmpdir(), 'platform-check-'));
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});
afterEach(() => simulator.state.setTrouble({ platform: 'chatgpt', kind: null }));

const env = (): Record<string, string> => ({
  CHATGPT_API_KEY: 'sk-secret-of-chatgpt',
  CHATGPT_BASE_URL: `${simulator.url}/openai`,
  CHATGPT_PRICE_PER_REQUEST_USD: '0.5',
  CLAUDE_API_KEY: 'sk-secret-of-claude',
  CLAUDE_BASE_URL: `${simulator.url}/anthropic`,
});

async function run(words: readonly string[], settings = env(), reply?: string) {
  const written = { out: '', notes: '' };
  const into = (name: 'out' | 'notes') =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const stdin = Object.assign(Readable.from(reply === undefined ? [] : [`${reply}\n`]), {
    isTTY: reply !== undefined,
  });
  const streams = { stdin, stdout: into('out'), stderr: into('notes') };
  const status = await runPlatformsCommand(words, () => readPlatformCheckConfig(settings), streams);
  return { status, ...written };
}

const countRequests = (): number =>
  Object.values(simulator.state.requests).reduce((sum, each) => sum + each, 0);

test('asks each configured platform, compares the fields with recorded ones, and records without the key', async () => {
  const { status, out } = await run(['check', '--yes', '--record', folder]);
  expect(status).toBe(0);
  expect(out).toMatch(
    /^Prompt: .*\nchatgpt: gpt-6\.1-terra, about \$0\.5000 by its prices\nclaude: .*, price unknown\n/,
  );
  expect(out).toMatch(
    /^chatgpt: answered, \d+ characters, .*model gpt-6\.1-terra-2026-01-15, cost \$0\.5000/m,
  );
  // The simulator sends a field that the recorded answer lacks, and no citation of a file.
  expect(out).toMatch(/^ {2}new fields: .*output\[\]\.content\[\]\.logprobs/m);
  expect(out).toMatch(/^ {2}missing fields: .*output\[\]\.content\[\]\.annotations\[\]\.file_id/m);
  const files = (await readdir(folder)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  expect(texts.join('')).not.toMatch(/secret|resp_simulated/);
  const read = (start: string): unknown[] =>
    texts.filter((_, index) => files[index]!.startsWith(start)).map((text) => JSON.parse(text) as unknown);
  // Recordings are read as fixtures are.
  expect(parseChatgpt(read('chatgpt-checked')[0]).outcome).toBe('answered');
  expect(parseClaude(read('claude-checked')).sources).not.toEqual([]);
});

test('a platform that fails is reported, and the others are asked', async () => {
  simulator.state.setTrouble({ platform: 'chatgpt', kind: '500' });
  const { status, out } = await run(['check', '--yes']);
  expect(status).toBe(1);
  expect(out).toMatch(/^chatgpt: failed: /m);
  expect(out).toMatch(/^claude: answered/m);
});

test('nothing is asked without a confirmation, a key or valid words', async () => {
  const before = countRequests();
  expect(await run(['check'])).toMatchObject({ status: 2, notes: expect.stringContaining('--yes confirms') });
  expect(await run(['check'], env(), 'n')).toMatchObject({ status: 2 });
  expect(await run(['check', '--yes'], {})).toMatchObject({
    status: 0,
    out: expect.stringContaining('No platform is configured'),
  });
  expect(await run(['ask'])).toMatchObject({ status: 2, notes: expect.stringMatching(/^platforms check/) });
  expect(countRequests()).toBe(before);
  const { CLAUDE_API_KEY: _, ...chatgptOnly } = env();
  expect(await run(['check'], chatgptOnly, 'y')).toMatchObject({ status: 0 });
  expect(countRequests()).toBe(before + 1);
});

test('redacts keys in any text, and ids of accounts, with their relations', () => {
  const [first, second] = redact(
    [
      { id: 'tool-1', organization_id: 'org-9', note: 'login', url: 'https://x.org/?key=password1', user: 7 },
      { tool_use_id: 'tool-1', encrypted_content: 'abc', url: 'https://x.org/', position: 7 },
    ],
    'login:password1',
  );
  expect(first).toEqual({
    id: 'redacted-1',
    organization_id: 'redacted-2',
    note: 'redacted',
    url: 'https://x.org/?key=redacted',
    user: 3,
  });
  expect(second).toEqual({
    tool_use_id: 'redacted-1',
    encrypted_content: 'redacted-4',
    url: 'https://x.org/',
    position: 7,
  });
});

test('a field is a path through objects and lists', () => {
  expect([...listFields([{ a: [{ b: 1 }, { c: [[{ d: null }]] }] }, { a: [] }])]).toEqual([
    'a',
    'a[].b',
    'a[].c',
    'a[].c[][].d',
  ]);
});
