import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startServer, stopServers } from './processes.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'bv-processes-'));
});
afterEach(stopServers);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const responder = `require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT)`;

async function start(command: readonly string[]) {
  const port = await freePort();
  const env = { PORT: String(port) };
  return startServer(command, { port, logFile: join(dir, `${port}.log`), env });
}

test.each([
  ['is missing', ['/missing/program'], 'ENOENT'],
  [
    'ends at once',
    [process.execPath, '-e', 'console.error("no such module"); process.exit(3)'],
    'no such module',
  ],
])('a program that %s is reported, and the servers before it can be stopped', async (_, command, reason) => {
  const { port } = await start([process.execPath, '-e', responder]);
  const error = await start(command).catch((caught: unknown) => caught);
  const { message, cause } = error as Error;
  expect(`${message} ${String(cause)}`).toContain(reason);
  await stopServers();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});
