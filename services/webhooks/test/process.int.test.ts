import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDatabase, freePort, serviceEnvironment, type TestDatabase } from '@bv/testkit';
import { testSettings } from './start-webhooks.ts';

const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('webhooks');
});
afterAll(async () => {
  await database.drop();
});

test('stopped while NATS was never available: exits with 0 and logs no error', async () => {
  const env = {
    ...process.env,
    ...serviceEnvironment({ databaseUrl: database.url, natsUrl: `nats://127.0.0.1:${await freePort()}` }),
    ...testSettings,
    LOG_LEVEL: 'info',
    ROLE: 'all',
  };
  const child = spawn(process.execPath, ['--conditions=@bv/source', script], { env });
  const ended = once(child, 'exit');
  let output = '';
  const waiting = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += String(chunk);
        if (output.toLowerCase().includes('nats')) resolve();
      });
    }
  });
  await Promise.race([waiting, ended]);
  child.kill('SIGTERM');
  const [code] = await ended;
  expect(output).not.toMatch(/"level":"(error|fatal)"/);
  expect(output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  expect(code).toBe(0);
});
