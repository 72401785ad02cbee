import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { crashPoints, readCrashPoint } from './crash-point.ts';

const source = fileURLToPath(new URL('crash-point.ts', import.meta.url));
const run = (env: Record<string, string>) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { crashPoint } = await import(${JSON.stringify(source)});
       crashPoint('relay.published'); console.log('past the first');
       crashPoint('consumer.applied'); console.log('past the second');`,
    ],
    { env, encoding: 'utf8' },
  );

test('a process dies at the point it was told, as by kill -9, and at no other', () => {
  const died = run({ CRASH_AT: 'consumer.applied', NODE_ENV: 'test' });
  expect(died).toMatchObject({ signal: 'SIGKILL', stdout: 'past the first\n' });
  expect(run({})).toMatchObject({ status: 0, stdout: 'past the first\npast the second\n' });
});

test('a process of production does not start with one, and a name nobody knows is refused', () => {
  expect(run({ CRASH_AT: 'consumer.applied' })).toMatchObject({ status: 1, stdout: '' });
  expect(() => readCrashPoint({ CRASH_AT: 'relay.published', NODE_ENV: 'production' })).toThrow();
  expect(() => readCrashPoint({ CRASH_AT: 'nowhere', NODE_ENV: 'test' })).toThrow();
  for (const name of crashPoints) expect(readCrashPoint({ CRASH_AT: name, NODE_ENV: 'test' })).toBe(name);
});
