import { expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  cpuMsByName,
  cpuMsOfTree,
  privateBytesByName,
  residentBytesOfTree,
  startUse,
  watchCpuSteal,
} from './machine.ts';

test('what a child has worked counts for the tree, while it runs and when it has ended', async () => {
  const before = cpuMsOfTree(process.pid);
  const busy = 'while (process.cpuUsage().user < 300_000); process.stdin.resume(); console.log("x")';
  const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const running = cpuMsOfTree(child.pid ?? 0);
  expect(running).toBeGreaterThan(200);
  expect([...cpuMsByName(child.pid ?? 0).values()].reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(
    running,
  );
  expect(residentBytesOfTree(child.pid ?? 0)).toBeGreaterThan(10_000_000);
  child.stdin.end();
  await once(child, 'exit');
  expect(cpuMsOfTree(child.pid ?? 0)).toBe(0);
  expect(cpuMsOfTree(process.pid) - before).toBeGreaterThanOrEqual(running);
});

test('what a process keeps for itself is total by its name, and grows with it', async () => {
  const held = 100_000_000;
  const grow = `console.log('x'); process.stdin.once('data', () => {
    globalThis.kept = Buffer.alloc(${held}, 1); console.log('y'); });`;
  const child = spawn(process.execPath, ['-e', grow], { stdio: ['pipe', 'pipe', 'inherit'] });
  const bytesNow = (): number => {
    const total = privateBytesByName(child.pid ?? 0);
    expect([...total.keys()]).toHaveLength(1);
    return [...total.values()].reduce((sum, bytes) => sum + bytes, 0);
  };
  await once(child.stdout, 'data');
  const before = bytesNow();
  child.stdin.write('grow');
  await once(child.stdout, 'data');
  const grown = bytesNow() - before;
  expect(grown).toBeGreaterThan(held * 0.95);
  expect(grown).toBeLessThan(held * 1.5);
  child.stdin.end();
  await once(child, 'exit');
  expect(privateBytesByName(child.pid ?? 0).size).toBe(0);
});

test('work of this process is its own share of the machine', () => {
  const use = startUse();
  const startedAt = performance.now();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 300_000);
  const ownMs = use().own * (performance.now() - startedAt) * availableParallelism();
  expect(ownMs).toBeGreaterThan(250);
});

/** Starts a busy process that is no child of this one. Returns its id. */
async function startOtherLoad(): Promise<number> {
  const busy = 'const end = Date.now() + 60_000; while (Date.now() < end);';
  const start = `'${process.execPath}' -e '${busy}' >/dev/null 2>&1 & echo $!`;
  const { stdout } = await promisify(execFile)('sh', ['-c', start]);
  return Number(stdout);
}

test('work of a process that is no child is the share of others', async () => {
  const pid = await startOtherLoad();
  try {
    const use = startUse();
    const startedAt = performance.now();
    const before = cpuMsOfTree(pid);
    // On a busy machine it takes longer.
    while (cpuMsOfTree(pid) < before + 300) await sleep(20);
    const othersMs = use().others * (performance.now() - startedAt) * availableParallelism();
    expect(othersMs).toBeGreaterThan(250);
  } finally {
    process.kill(pid);
  }
});

test('what the host kept is a share of the work, not of the machine', () => {
  const stolen = watchCpuSteal();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 300_000);
  expect(stolen()).toBeGreaterThanOrEqual(0);
  expect(stolen()).toBeLessThan(1);
});
