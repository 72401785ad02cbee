import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rootDir } from '../src/config.ts';
import { runningProcesses } from '../src/processes/process-records.ts';
import { waitUntil } from '../src/processes/wait-until.ts';
import { afterwards, scratchDir } from './scratch.ts';

type Start = {
  child: ChildProcess;
  output: () => string;
  /** Waits for a text. Throws with the whole output if it times out or the process ends first. */
  waitForOutput: (text: string) => Promise<void>;
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
};

/** Runs `npm start` without npm, in a separate process group like in a terminal. */
function start(dataDir: string, ...args: string[]): Start {
  const script = join(rootDir, 'scripts', 'run.mjs');
  const child = spawn(process.execPath, [script, 'start', '--free-ports', '--data-dir', dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // Data stores must not come from the environment of the test run.
    env: {
      ...process.env,
      POSTGRES_URL: '',
      REDIS_URL: '',
      NATS_URL: '',
      LOG_LEVEL: 'warn',
      REDIS_TIMEOUT_MS: '5000',
      // A scan of the daily schedule would be in progress when a test requests one.
      SCHEDULE_INTERVAL_MS: '0',
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(([status, signal]) => ({
    status: status as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  afterwards(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    await waitUntil(async () => runningProcesses(join(dataDir, 'processes')).length === 0, {
      timeoutMs: 30_000,
    });
  });
  return {
    child,
    output: () => text,
    waitForOutput: async (expected) => {
      const found = await waitUntil(async () => text.includes(expected), {
        timeoutMs: 400_000,
        until: ended,
      });
      if (!found && !text.includes(expected)) throw new Error(`"${expected}" was not reported:\n${text}`);
    },
    ended,
  };
}

const stillRunning = (dataDir: string): string[] =>
  runningProcesses(join(dataDir, 'processes')).map(({ name }) => name);

type StackFile = {
  base_url: string;
  operator_url: string;
  operator_token: string;
  demo: { org_id: string; brand_id: string; api_key: string; partner_key: string };
};

async function readStackFile(dataDir: string): Promise<StackFile> {
  return JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile;
}

async function get(url: string, token: string): Promise<{ status: number; body: { data: unknown } }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as { data: unknown } };
}

const everything = [
  'catalog',
  'gateway',
  'nats',
  'postgres',
  'redis',
  'results',
  'scans',
  'simulator',
  'webhooks-api',
  'webhooks-dispatcher',
];

/** Waits for the next UTC day if less than this is left of the current one: the demo scans once a day. */
async function untilDayLasts(neededMs: number): Promise<void> {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left < neededMs) await sleep(left + 50);
}

// Starting and stopping ten processes several times is slow on a busy machine.
jest.setTimeout(900_000);

describe('npm start', () => {
  /** Shared by the first two tests: the second finds the data of the first. */
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'bv-start-'));
    await untilDayLasts(600_000);
  }, 700_000);
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('stops what a killed start left, runs its demo up to a verified webhook, and leaves only data', async () => {
    const killed = start(dataDir);
    await killed.waitForOutput('demo: organisation Demo created');
    process.kill(-(killed.child.pid ?? 0), 'SIGKILL');
    await killed.ended;
    expect(stillRunning(dataDir).toSorted()).toEqual(everything);

    const { output, ended } = start(dataDir, '--once');
    expect([(await ended).status, output()]).toEqual([0, expect.stringContaining('stopped')]);
    expect(output()).toContain('an earlier start was killed: stopped its processes');
    expect(output()).toMatch(/demo: organisation Demo (exists|found)/);
    expect(output()).toMatch(/data stores: (binaries on this machine|containers by)/);
    expect(output()).toContain('demo: webhook received and verified (scan.completed)');
    for (const heading of ['Score', 'Mention rate', 'Share of voice', 'Top sources', 'Next commands:']) {
      expect(output()).toContain(heading);
    }
    expect(output()).toContain('demo: 1020 simulated answers of 34 earlier days imported');
    expect(output().match(/● /g)?.length).toBeGreaterThan(10);
    expect(output()).toMatch(
      /Difference \S+ points \(95 %: \S+ to \S+\): (up|down|no evidence of a change)\./,
    );
    expect(stillRunning(dataDir)).toEqual([]);
    expect(Object.keys(await readStackFile(dataDir))).toEqual([
      'base_url',
      'operator_url',
      'operator_token',
      'simulator_url',
      'postgres_url',
      'redis_url',
      'nats_url',
      'demo',
    ]);
    for (const file of ['stack.json', 'secrets.json', 'demo.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('reuses its data, keeps running, rejects a second start, restarts a killed service, and stops on Ctrl-C', async () => {
    const { demo: before } = await readStackFile(dataDir);

    const { child, output, waitForOutput, ended } = start(dataDir);
    await waitForOutput('everything is running');
    expect(output()).toContain('demo: organisation Demo exists');
    expect(output()).toContain("today's scan exists already; webhook received and verified (endpoint.ping)");
    expect(output()).not.toContain('earlier days imported');
    const {
      base_url: baseUrl,
      operator_url: operatorUrl,
      operator_token: token,
      demo,
    } = await readStackFile(dataDir);
    expect(demo).toEqual(before);
    expect(
      (await get(`${baseUrl}/orgs/${demo.org_id}/brands/${demo.brand_id}/scores`, demo.api_key)).status,
    ).toBe(200);
    expect((await get(`${operatorUrl}/orgs`, token)).body.data).toEqual([
      expect.objectContaining({ id: demo.org_id, name: 'Demo' }),
    ]);
    expect(stillRunning(dataDir).toSorted()).toEqual(everything);

    const scan = `${baseUrl}/orgs/${demo.org_id}/brands/${demo.brand_id}/scan-requests`;
    const headers = { authorization: `Bearer ${demo.api_key}` };
    expect((await fetch(scan, { method: 'POST', headers })).status).toBe(202);
    await waitForOutput('webhook received and verified (scan.completed)');

    const second = start(dataDir);
    expect((await second.ended).status).toBe(1);
    expect(second.output()).toContain('This stack runs already');

    const victim = runningProcesses(join(dataDir, 'processes')).find(({ name }) => name === 'results');
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    await waitForOutput('results ended (SIGKILL)');
    await waitForOutput('results is back');

    // Like a terminal, signal every process of the group.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).toEqual({ status: 0, signal: null });
    expect(stillRunning(dataDir)).toEqual([]);
  });

  it('ends by itself when the process that started it is killed', async () => {
    const ownDir = await scratchDir();
    const { child, output, waitForOutput, ended } = start(ownDir);
    await waitForOutput('PostgreSQL is ready');
    child.kill('SIGKILL');
    await ended;
    expect(output()).toContain('the parent process has ended');
    expect(await waitUntil(async () => stillRunning(ownDir).length === 0, { timeoutMs: 30_000 })).toBe(true);
  });

  it('prints its usage for an unknown option', async () => {
    const { output, ended } = start(await scratchDir(), '--twice');
    expect((await ended).status).toBe(1);
    expect(output()).toContain("Unknown option '--twice'");
    expect(output()).toContain('--once');
  });
});
