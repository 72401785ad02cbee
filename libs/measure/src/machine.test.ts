import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { cpuMsByName, cpuMsOfTree, residentBytesOfTree, startUse, watchHost } from './machine.ts';

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

test('work of this process is its own share of the machine', () => {
  const use = startUse();
  const startedAt = performance.now();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 300_000);
  const ownMs = use().own * (performance.now() - startedAt) * availableParallelism();
  expect(ownMs).toBeGreaterThan(250);
});

test('what the host kept is a share of the work, not of the machine', () => {
  const stolen = watchHost();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 300_000);
  expect(stolen()).toBeGreaterThanOrEqual(0);
  expect(stolen()).toBeLessThan(1);
});
