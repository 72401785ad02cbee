import { once } from 'node:events';

/** Closing its stdin tells the process of the data stores that the run is over. */
async function teardown(): Promise<void> {
  const child = globalThis.bvTestDataStores;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default teardown;
