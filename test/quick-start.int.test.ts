import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installWithApt } from './install/apt.ts';
import { startSystem, type System } from './system.ts';

const run = promisify(execFile);
const guide = join(import.meta.dirname, '../docs/guides/quick-start.md');

let system: System;
beforeAll(async () => {
  if (spawnSync('jq', ['--version']).status !== 0) installWithApt(['jq'], 'jq is needed');
  system = await startSystem({ SIMULATOR_DAY: '2026-11-26' });
}, 180_000);
afterAll(() => system.stop(), 60_000);

async function createKey(): Promise<string> {
  const org = await system.operate('POST', '/orgs', { name: 'Acme Group', tier: 'scale' });
  const body = { scopes: ['read', 'write'] };
  return (await system.operate('POST', `/orgs/${org.body.data.id}/keys`, body)).body.data.key;
}

type Step = { commands: string; response: object | undefined };

/** The blocks of one tab, each with the response that the guide shows for it. */
async function readSteps(tab: string): Promise<Step[]> {
  const text = await readFile(guide, 'utf8');
  const blocks = [...text.matchAll(/```(\w+)(?: \[(\w+)\])?\n([\s\S]*?)```/g)]
    .map(([, kind, title, body = '']) => ({
      isResponse: kind === 'json',
      isSetup: kind === 'bash' && body.includes('your-key'),
      title,
      body,
    }))
    .filter(({ isResponse, isSetup, title }) => !isSetup && (isResponse || title === tab));
  return blocks.flatMap(({ isResponse, body }, index) => {
    const next = blocks[index + 1];
    if (isResponse) return [];
    return [
      { commands: body, response: next?.isResponse === true ? (JSON.parse(next.body) as object) : undefined },
    ];
  });
}

/** Runs the commands in one shell, as if they were pasted. Returns what each step prints. */
async function paste(steps: Step[], key: string): Promise<string[]> {
  const separator = '---next step---';
  const script = [
    'set -euo pipefail',
    ...steps.map(({ commands }) => `${commands}\necho '${separator}'`),
  ].join('\n');
  const env = { ...process.env, API: system.stack.baseUrl, KEY: key };
  const { stdout } = await run('bash', ['-c', script], { env, timeout: 240_000 });
  return stdout.split(`${separator}\n`);
}

/** The id and the day of a run differ. */
const varying = { id: expect.any(String), run_date: expect.any(String) };
const withOwn = (response: object): object => ({
  ...response,
  ...Object.fromEntries(Object.entries(varying).filter(([name]) => name in response)),
});

test('the commands run as they are pasted, and their responses have the values that the page shows', async () => {
  const steps = await readSteps('curl');
  const printed = await paste(steps, await createKey());
  const shown = steps.flatMap(({ response }, index) =>
    response === undefined ? [] : [{ response, actual: JSON.parse(printed[index] ?? '') as unknown }],
  );
  expect(shown.map(({ actual }) => actual)).toEqual(shown.map(({ response }) => withOwn(response)));
  const outputs = printed.join('\n');
  expect(outputs).toMatch(/^completed$/m);
  expect(outputs).toContain('"mention_rate_low"');
  expect(outputs).not.toMatch(/^null$/m);
}, 300_000);

/** Writes each call of `console.log` as a line of JSON. */
const printJson = `console.log = (...values) => process.stdout.write(JSON.stringify(values) + '\\n');`;
/** Scores can appear a few seconds after the scan, as the page says. */
const waitForScores = `while ((await client.listScores({ orgId, brandId }).all()).length === 0) await new Promise((resolve) => setTimeout(resolve, 500));`;

test('the TypeScript program prints the same values', async () => {
  const steps = await readSteps('TypeScript');
  const code = steps.map(({ commands }) => commands).join('\n');
  const program = `${printJson}\n${code.replace('for await', `${waitForScores}\nfor await`)}`;
  const words = ['--conditions=@bv/source', '--input-type=module-typescript', '--eval', program];
  const env = { ...process.env, BV_BASE_URL: system.stack.baseUrl, BV_API_KEY: await createKey() };
  const { stdout } = await run(process.execPath, words, { cwd: import.meta.dirname, env, timeout: 240_000 });
  const [org, prompt, scores] = (await readSteps('curl')).flatMap(({ response }) => response ?? []);
  const { score, mention_rate_low: low, mention_rate_high: high } = scores as Record<string, number>;
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[]);
  expect(lines.slice(0, 4)).toEqual([
    [org],
    [withOwn(prompt ?? {})],
    ['completed'],
    [expect.any(String), score, low, high],
  ]);
}, 300_000);
