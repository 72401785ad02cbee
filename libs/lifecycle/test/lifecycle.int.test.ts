import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLifecycle } from '@bv/lifecycle';

const fixture = fileURLToPath(new URL('fixtures/process.ts', import.meta.url));
const closedInOrder = ['aborted ready=false', 'close third', 'close second', 'close first'];
const running = new Set<() => void>();

afterEach(() => {
  for (const kill of running) kill();
  running.clear();
});

/** Starts the fixture and waits until it is ready. `ended` resolves with its exit code, output and log. */
async function start(scenario: string, drainMs = 0) {
  const args = ['--conditions=@bv/source', fixture, scenario, String(drainMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(() => child.kill('SIGKILL'));
  const output: string[] = [];
  const log: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => output.push(line));
  createInterface(child.stderr).on('line', (line) => log.push(line));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [first] = (await once(reader, 'line')) as [string];
  const port = Number(first.split('port=')[1]);
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    port,
    output,
    ended: closed.then(([code]) => ({ code, output: output.slice(1), log })),
  };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('closes in reverse order and exits with 0', async () => {
    const { kill, ended } = await start('clean');
    kill(signal);
    expect(await ended).toMatchObject({ code: 0, output: closedInOrder });
  });
});

test('during the drain the process is not ready, serves requests and closes nothing', async () => {
  const { kill, ended, output, port } = await start('clean', 5_000);
  kill('SIGTERM');
  while (output.length < 2) await sleep(10);
  await sleep(400);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('false');
  expect(output.slice(1)).toEqual(closedInOrder.slice(0, 1));
  expect(await ended).toMatchObject({ code: 0, output: closedInOrder });
});

test('a start that a stop aborts is not a failure', async () => {
  const { kill, ended } = await start('starting');
  kill('SIGTERM');
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toContain('start aborted');
});

test('start rejects with the error of a start that fails by itself', async () => {
  const write = () => undefined;
  const lifecycle = createLifecycle({ log: { info: write, warn: write, error: write }, drainMs: 0 });
  await expect(lifecycle.start(() => Promise.reject(new Error('no database')))).rejects.toThrow(
    'no database',
  );
});

test('a hanging close step does not block the others, and the process exits with 1 within the deadline', async () => {
  const { kill, ended } = await start('hanging');
  const startedAt = performance.now();
  kill('SIGTERM');
  const { code, output, log } = await ended;
  expect({ code, output }).toEqual({ code: 1, output: closedInOrder });
  expect(log).toContain('close step timed out: continuing without it');
  // The deadline is 2 s. The step itself never ends.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test.each(['failing', 'throwing'])(
  'a %s close step does not block the others, and the exit code is 1',
  async (scenario) => {
    const { kill, ended } = await start(scenario);
    kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, output: closedInOrder });
  },
);

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second signal (%s) exits at once with %i', async (signal, code) => {
  const { kill, ended, output } = await start('clean', 30_000);
  kill('SIGTERM');
  while (output.length < 2) await sleep(10);
  kill(signal);
  expect(await ended).toMatchObject({ code, output: closedInOrder.slice(0, 1) });
});

test('an open timer does not keep the process alive: it is logged, and the exit code is 0', async () => {
  const { kill, ended } = await start('leaking');
  kill('SIGTERM');
  const { code, log } = await ended;
  expect(code).toBe(0);
  expect(log).toContain('something is still open: exiting');
});

test.each(['uncaught', 'rejection'])(
  'an unhandled error (%s) closes everything and exits with 1',
  async (scenario) => {
    const { ended } = await start(scenario, 30_000);
    expect(await ended).toMatchObject({ code: 1, output: closedInOrder });
  },
);

test('a step that is registered during the stop is closed too', async () => {
  const { kill, ended } = await start('late');
  kill('SIGTERM');
  const output = ['aborted ready=false', 'close third', 'close late', 'close second', 'close first'];
  expect(await ended).toMatchObject({ code: 0, output });
});

describe('in process', () => {
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };

  test('stop runs once however often it is called, and does not exit the process', async () => {
    const lifecycle = createLifecycle({ log, drainMs: 20 });
    let closed = 0;
    lifecycle.onStop('counter', () => (closed += 1));
    expect(lifecycle.ready()).toBe(false);
    lifecycle.setReady();
    expect(lifecycle.ready()).toBe(true);
    await Promise.all([lifecycle.stop('first'), lifecycle.stop('second')]);
    await lifecycle.stop('third');
    expect(closed).toBe(1);
    expect(lifecycle.signal.aborted).toBe(true);
    lifecycle.setReady();
    expect(lifecycle.ready()).toBe(false);
  });

  test('a process that was never ready does not drain', async () => {
    const startedAt = performance.now();
    await createLifecycle({ log, drainMs: 60_000 }).stop('start failed');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test('many hanging steps share one deadline', async () => {
    const lifecycle = createLifecycle({ log, drainMs: 0, forceAfterMs: 1_000 });
    for (let step = 0; step < 20; step += 1) lifecycle.onStop(`${step}`, () => new Promise(quiet));
    const startedAt = performance.now();
    await lifecycle.stop('test');
    // One after the other they would take at least 16 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
