import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readJudgeConfig } from '../src/config.ts';
import { runJudgeCommand } from '../src/worker/judge-check.ts';
import { setTrouble } from './judge-harness.ts';

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await createSimulator();
  folder = await mkdtemp(join(tmpdir(), 'judge-check-'));
});

afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

afterEach(() => setTrouble(simulator, null));

const passages = [
  {
    language: 'en',
    text: 'Contoso is excellent. Fabrikam is terrible.',
    brands: { Contoso: 'positive', Fabrikam: 'negative' },
  },
  { language: 'en', text: 'Northwind is excellent.', brands: { Northwind: 'negative' } },
  { language: 'de', text: 'Contoso wurde 1990 gegründet.', brands: { Contoso: 'neutral' } },
];

async function write(name: string, lines: readonly unknown[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return file;
}

async function check(env: Record<string, string>) {
  const written = { out: '', notes: '' };
  const into = (name: 'out' | 'notes') =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const file = await write('labels.jsonl', passages);
  const streams = { stdout: into('out'), stderr: into('notes') };
  const status = await runJudgeCommand(['check', file], () => readJudgeConfig(env), streams);
  return { status, ...written };
}

const atSimulator = () => ({
  SENTIMENT_JUDGE_BASE_URL: `${simulator.url}/openai`,
  SENTIMENT_JUDGE_API_KEY: 'key',
  SENTIMENT_JUDGE_MODEL: 'judge-1',
  SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: '10',
  SENTIMENT_JUDGE_PRICE_OUTPUT_PER_MILLION_TOKENS_USD: '100',
});

test('rates by both and prints agreement, reversed share, the confusion table and the cost', async () => {
  const { status, out } = await check(atSimulator());
  expect(status).toBe(0);
  for (const report of out.split('LLM judge, judge-1')) {
    expect(report).toMatch(/^ +negative +1 +0 +1 +0$/m);
    expect(report).toMatch(/^ +all +4 +75\.0 +30\.1 to 95\.4 +25\.0$/m);
    expect(report).toMatch(/^ +de +1 +100\.0/m);
  }
  // Three calls of 400 and 40 tokens.
  expect(out).toMatch(/cost of 3 passages: \$0\.0240\n$/);
});

test('a mention without a rating counts as wrong; skipped passages are a failure', async () => {
  setTrouble(simulator, 'invented-quote');
  const unquoted = await check(atSimulator());
  expect(unquoted.out.split('LLM judge')[1]).toMatch(/^ +all +4 +0\.0 +/m);
  const tooExpensive = await check({ ...atSimulator(), SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '0.01' });
  expect(tooExpensive).toMatchObject({ status: 1, out: expect.stringMatching(/^3 passages are not rated/m) });
  setTrouble(simulator, '500');
  const failed = await check({ ...atSimulator(), SENTIMENT_JUDGE_MAX_ATTEMPTS: '1' });
  expect(failed).toMatchObject({ status: 1, notes: expect.stringContaining('the LLM judge failed') });
  expect(failed.out.split('LLM judge')[1]).toMatch(/^ +negative +0 +0 +0 +2$/m);
});

test('without an LLM judge it says so and rates by the lexicon', async () => {
  const { status, out } = await check({});
  expect(status).toBe(0);
  expect(out).toMatch(/^ +all +4 +75\.0/m);
  expect(out).toMatch(/No LLM judge is configured: .*\n$/);
});

test('an invalid line of FILE is an error of the program with the number of the line', async () => {
  const file = await write('invalid.jsonl', [passages[1], 'no JSON']);
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const { code, notes } = await new Promise<{ code: unknown; notes: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=@bv/source', main, 'judge', 'check', file],
      (error, _out, stderr) => resolve({ code: error?.code, notes: stderr }),
    );
  });
  expect({ code, notes }).toEqual({
    code: 2,
    notes: 'line 2: not JSON\n',
  });
});
