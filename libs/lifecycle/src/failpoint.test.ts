import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { failpoints, readFailpoint } from './failpoint.ts';

const source = fileURLToPath(new URL('failpoint.ts', import.meta.url));
const run = (env: Record<string, string>) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { failpoint } = await import(${JSON.stringify(source)});
       failpoint('relay.published'); console.log('past the first');
       failpoint('consumer.applied'); console.log('past the second');`,
    ],
    { env, encoding: 'utf8' },
  );

test('a process is killed at the configured failpoint only', () => {
  const killed = run({ CRASH_AT: 'consumer.applied', NODE_ENV: 'test' });
  expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: 'past the first\n' });
  expect(run({})).toMatchObject({ status: 0, stdout: 'past the first\npast the second\n' });
});

test('a production process does not start with a failpoint, and an unknown name is rejected', () => {
  expect(run({ CRASH_AT: 'consumer.applied' })).toMatchObject({ status: 1, stdout: '' });
  expect(() => readFailpoint({ CRASH_AT: 'relay.published', NODE_ENV: 'production' })).toThrow();
  expect(() => readFailpoint({ CRASH_AT: 'nowhere', NODE_ENV: 'test' })).toThrow();
  for (const name of failpoints) expect(readFailpoint({ CRASH_AT: name, NODE_ENV: 'test' })).toBe(name);
});
