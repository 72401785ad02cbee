import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportEnvironment, type TestEnvironment } from '../environment.ts';

declare global {
  var bvTestDataStores: ChildProcess | undefined;
}

/** Starts the data stores in a separate process and passes their URLs to the test files. */
async function setup(): Promise<void> {
  const script = fileURLToPath(new URL('data-stores.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@bv/source', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Outside jest's process group, so that on Ctrl-C the data stores stop after the tests that use them.
    detached: true,
  });
  globalThis.bvTestDataStores = child;
  const ended = once(child, 'exit').then(() => undefined);
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (line === undefined) throw new Error('the data stores for the tests did not start');
  const environment = JSON.parse(String(line[0])) as TestEnvironment;
  exportEnvironment(environment);
  // Every process that the tests start takes a third less time.
  process.env['NODE_COMPILE_CACHE'] ??= join(environment.runDir, 'compiled');
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default setup;
