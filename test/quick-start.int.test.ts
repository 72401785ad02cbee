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

/** The blocks of commands, each with the response that the guide shows for it. The first sets address and key. */
async function readSteps(): Promise<Step[]> {
  const text = await readFile(guide, 'utf8');
  const blocks = [...text.matchAll(/```(bash|json)\n([\s\S]*?)```/g)].map(([, kind, body = '']) => ({
    kind,
    body,
  }));
  return blocks
    .flatMap(({ kind, body }, index) => {
      if (kind !== 'bash') return [];
      const next = blocks[index + 1];
      return [{ commands: body, response: next?.kind === 'json' ? JSON.parse(next.body) : undefined }];
    })
    .slice(1);
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

test('the quick start runs as it is pasted, and its responses have the values that it shows', async () => {
  const steps = await readSteps();
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
