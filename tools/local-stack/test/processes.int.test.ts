import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { planPorts } from '../src/port-plan.ts';
import { releaseInstanceLock, acquireInstanceLock } from '../src/processes/instance-lock.ts';
import { startProcess, type ManagedProcess } from '../src/processes/managed-process.ts';
import { endRecordedProcesses, recordProcess, runningProcesses } from '../src/processes/process-records.ts';
import { processStartTime } from '../src/processes/process-start-time.ts';
import { supervise, type SupervisedOptions } from '../src/processes/supervisor.ts';
import { freePort } from '../src/processes/ports.ts';
import { waitUntil } from '../src/processes/wait-until.ts';
import { afterwards, createTestReporter, scratchDir } from './scratch.ts';

async function startNode(dir: string, script: string): Promise<ManagedProcess> {
  const child = startProcess({
    name: 'child',
    command: process.execPath,
    args: ['-e', script],
    logFile: join(dir, 'child.log'),
  });
  afterwards(() => child.kill());
  return child;
}

const idle = 'console.log("up"); setInterval(() => {}, 1000);';
const stubborn = `process.on('SIGTERM', () => {}); ${idle}`;
const isUp = (child: ManagedProcess) => async (): Promise<boolean> =>
  (await child.lastLines(1)).includes('up');

describe('a started process', () => {
  it('stops on the signal, or is killed at the deadline', async () => {
    const dir = await scratchDir();
    const polite = await startNode(dir, idle);
    await polite.stop();
    expect(await polite.exited).toBe('SIGTERM');

    const deaf = await startNode(await scratchDir(), stubborn);
    await waitUntil(isUp(deaf), { timeoutMs: 60_000 });
    await deaf.stop({ timeoutMs: 100 });
    expect(await deaf.exited).toBe('SIGKILL');
    expect(deaf.running()).toBe(false);
  });

  it('is killed together with its children', async () => {
    const dir = await scratchDir();
    const nested = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}]);
      console.log(child.pid); ${stubborn}`;
    const parent = await startNode(dir, nested);
    await waitUntil(isUp(parent), { timeoutMs: 60_000 });
    const grandchild = Number((await parent.lastLines(2))[0]);
    expect(processStartTime(grandchild)).toBeDefined();
    await parent.kill();
    expect(
      await waitUntil(async () => processStartTime(grandchild) === undefined, { timeoutMs: 60_000 }),
    ).toBe(true);
  });

  it('that cannot be started reports the reason', async () => {
    const dir = await scratchDir();
    const child = startProcess({
      name: 'none',
      command: '/does/not/exist',
      args: [],
      logFile: join(dir, 'log'),
    });
    expect(await child.exited).toContain('ENOENT');
    await child.stop();
  });
});

describe('recorded processes', () => {
  it('are ended by a later start, foundations last', async () => {
    const dir = await scratchDir();
    const older = await startNode(dir, idle);
    const younger = await startNode(dir, idle);
    recordProcess(dir, { name: 'older', pid: older.pid, foundation: true });
    const order: string[] = [];
    void older.exited.then(() => order.push('older'));
    void younger.exited.then(() => order.push('younger'));
    recordProcess(dir, { name: 'younger', pid: younger.pid, stopSignal: 'SIGINT' });
    expect(runningProcesses(dir).map(({ name }) => name)).toEqual(['older', 'younger']);
    expect(await endRecordedProcesses(dir, { timeoutMs: 60_000 })).toEqual(['older', 'younger']);
    expect([await older.exited, await younger.exited]).toEqual(['SIGTERM', 'SIGINT']);
    expect(order).toEqual(['younger', 'older']);
    expect(await endRecordedProcesses(dir, { timeoutMs: 60_000 })).toEqual([]);
  });

  it('do not signal a process that has reused the id of an earlier one', async () => {
    const dir = await scratchDir();
    const unrelated = await startNode(dir, idle);
    const record = { name: 'earlier', pid: unrelated.pid, mark: 'another boot:123', stopSignal: 'SIGKILL' };
    await writeFile(join(dir, `${unrelated.pid}.json`), JSON.stringify(record));
    expect(await endRecordedProcesses(dir, { timeoutMs: 1_000 })).toEqual([]);
    expect(unrelated.running()).toBe(true);
  });
});

describe('the lock of a data directory', () => {
  it('has one holder while that process runs', async () => {
    const file = join(await scratchDir(), 'stack.pid');
    expect(acquireInstanceLock(file)).toBeUndefined();
    expect(acquireInstanceLock(file)).toEqual({ heldBy: process.pid });
    releaseInstanceLock(file);
    expect(acquireInstanceLock(file)).toBeUndefined();
  });

  it('is acquired again after its holder ended, or if the file is damaged', async () => {
    const file = join(await scratchDir(), 'stack.pid');
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    await writeFile(file, JSON.stringify({ pid: gone.pid, mark: 'some boot:1' }));
    expect(acquireInstanceLock(file)).toBeUndefined();
    await writeFile(file, '{');
    expect(acquireInstanceLock(file)).toBeUndefined();
  });
});

describe('the plan of ports', () => {
  it('reports which default ports are in use, and assigns no port twice', async () => {
    const occupied = createServer().listen(8_091, '127.0.0.1');
    // Another process may use the port already, which serves the test as well.
    await Promise.race([once(occupied, 'listening'), once(occupied, 'error')]);
    afterwards(async () => occupied.close());
    const { report, lines } = createTestReporter();
    const plan = await planPorts({ free: false, report, unused: ['nats'] });
    expect(plan.simulator).not.toBe(8_091);
    expect(lines).toContain(`port 8091 (simulator) is in use: using ${plan.simulator}`);
    expect(plan.nats).toBe(14_222);
    const ports = Object.values(plan).flatMap((entry) =>
      typeof entry === 'number' ? entry : Object.values(entry),
    );
    expect(new Set(ports).size).toBe(ports.length);
  });
});

async function supervised(
  script: string,
  overrides: Partial<SupervisedOptions> = {},
): Promise<{ options: SupervisedOptions; lines: string[] }> {
  const dir = await scratchDir();
  const port = await freePort();
  const { report, lines } = createTestReporter();
  const options: SupervisedOptions = {
    name: 'service',
    command: process.execPath,
    args: ['-e', script],
    env: { PORT: String(port) },
    logFile: join(dir, 'service.log'),
    ready: async () => {
      const response = await fetch(`http://127.0.0.1:${port}`).catch(() => undefined);
      return response?.ok === true;
    },
    readyTimeoutMs: 60_000,
    recordsDir: dir,
    report,
    signal: new AbortController().signal,
    backoff: { baseMs: 20, maxMs: 50, settledMs: 60_000 },
    ...overrides,
  };
  return { options, lines };
}

const server = `require('node:http').createServer((q, s) => s.end('ok')).listen(process.env.PORT, '127.0.0.1');`;

describe('a supervised process', () => {
  it('is restarted whenever it ends, until it is stopped', async () => {
    const { options, lines } = await supervised(server);
    const service = await supervise(options);
    afterwards(() => service.stop());
    for (const restarts of [1, 2, 3]) {
      const pid = service.pid();
      process.kill(pid, 'SIGKILL');
      expect(await waitUntil(async () => service.restarts() === restarts, { timeoutMs: 60_000 })).toBe(true);
      expect(service.pid()).not.toBe(pid);
    }
    expect(await waitUntil(options.ready, { timeoutMs: 60_000 })).toBe(true);
    await service.stop();
    expect(await options.ready()).toBe(false);
    expect(lines.filter((line) => line.includes('ended (SIGKILL)'))).toEqual([
      'service ended (SIGKILL): restarting in 0.02 s',
      'service ended (SIGKILL): restarting in 0.04 s',
      'service ended (SIGKILL): restarting in 0.05 s',
    ]);
    expect(runningProcesses(options.recordsDir)).toEqual([]);
  });

  it('fails the start with its last log lines if it ends before it is ready', async () => {
    const { options } = await supervised(`console.error('DATABASE_URL is missing'); process.exit(3);`);
    await expect(supervise(options)).rejects.toThrow(/status 3[\s\S]*DATABASE_URL is missing/);
  });

  it('fails the start if it is not ready in time, and is not left running', async () => {
    const { options } = await supervised(stubborn, { readyTimeoutMs: 300 });
    await expect(supervise(options)).rejects.toThrow('was not ready within 0.3 s');
    expect(runningProcesses(options.recordsDir)).toEqual([]);
  });

  it('is not left running when the start is aborted', async () => {
    const stop = new AbortController();
    const { options } = await supervised(idle, { signal: stop.signal });
    const starting = supervise(options);
    setTimeout(() => stop.abort(), 100);
    await expect(starting).rejects.toThrow('aborted');
    expect(runningProcesses(options.recordsDir)).toEqual([]);
  });
});
