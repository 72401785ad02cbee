import { once } from 'node:events';

/** The process of the data stores ends when its stdin closes. */
async function teardown(): Promise<void> {
  const child = globalThis.bvTestDataStores;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default teardown;
