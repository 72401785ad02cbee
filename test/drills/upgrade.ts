/**
 * Upgrades and rolls back a stack under traffic. No request may fail.
 *   1. The previous version serves: the commit before the newest migration, or `--from <commit>`.
 *   2. The migrations of this version run, and both versions serve.
 *   3. This version serves alone.
 *   4. The previous version serves alone again, on the newer schema.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BrandVisibilityClient } from '@bv/sdk';
import { privateStackOptions, startStack, steadyEnvironment, waitUntil } from '@bv/local-stack';
import { type LockWatch, watchLocks } from './upgrade-locks.ts';
import { startTraffic, type Access, type Traffic } from './upgrade-traffic.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report = (line: string): void => console.log(line);

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const [added = ''] = git('log', '--format=%H', '--diff-filter=A', '--', 'services/*/migrations/*.sql').split(
  '\n',
);
const from = git('rev-parse', '--verify', values.from ?? `${added}^`);

const scratch = await mkdtemp(join(tmpdir(), 'bv-upgrade-'));
await chmod(scratch, 0o755);
const previousDir = join(scratch, 'previous');
const phaseMs = 5_000;

const listMigrations = (dir: string): string[] =>
  readdirSync(join(dir, 'services')).flatMap((service) => {
    const folder = join(dir, 'services', service, 'migrations');
    return existsSync(folder) ? readdirSync(folder).map((name) => `${service}/${name}`) : [];
  });

type StackFile = Record<`${'postgres' | 'redis' | 'nats' | 'base' | 'operator'}_url`, string> & {
  operator_token: string;
  demo: { org_id: string; brand_id: string };
};

/** Starts the previous version with `npm start` and separate data stores. */
async function startPreviousVersion(): Promise<{ file: StackFile; stop: () => Promise<void> }> {
  git('worktree', 'add', '--quiet', '--detach', previousDir, from);
  const log = openSync(join(scratch, 'previous.log'), 'a');
  const dataDir = join(scratch, 'previous-data');
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start', '--free-ports', '--data-dir', dataDir], {
    cwd: previousDir,
    env: { ...process.env, ...steadyEnvironment },
    detached: true,
    stdio: ['ignore', log, log],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  const path = join(dataDir, 'stack.json');
  const readLog = (): Promise<string> => readFile(join(scratch, 'previous.log'), 'utf8');
  // The demo ends the stack if a part of it takes too long, such as behind the locks of added units.
  const started = await waitUntil(async () => (await readLog()).includes('everything is running'), {
    timeoutMs: 600_000,
    intervalMs: 200,
    until: exited,
  });
  if (!started) {
    await stop();
    throw new Error(`the previous version did not start:\n${await readLog()}`);
  }
  return { file: JSON.parse(await readFile(path, 'utf8')) as StackFile, stop };
}

/** Creates a key with an allowance that is never reached. */
async function createKey({ operator_url: url, operator_token: token, demo }: StackFile): Promise<string> {
  const response = await fetch(`${url}/orgs/${demo.org_id}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['read', 'write'], per_minute: 1_000_000 }),
  });
  return ((await response.json()) as { data: { key: string } }).data.key;
}

/** Requests a scan and waits until it is completed. */
async function scan(baseUrl: string, { orgId, brandId, key }: Access): Promise<void> {
  const client = new BrandVisibilityClient({ baseUrl, apiKey: key });
  const at = { orgId, brandId };
  const { job_id: jobId } = await client.requestScan(at);
  const deadline = Date.now() + 90_000;
  for (
    let status = 'queued';
    status !== 'completed';
    status = (await client.getScan({ ...at, jobId })).status
  ) {
    assert(Date.now() < deadline, `a scan is still ${status}`);
    await sleep(300);
  }
}

type Drill = { previous: StackFile; access: Access; traffic: Traffic; locks: LockWatch };

function reportPhase(phase: string, { traffic, locks }: Drill): void {
  report(`${phase}: ${traffic.sent()} requests`);
  report(`  the longest: ${traffic.takeLongest()}`);
  report(`  the longest wait for a table: ${locks.takeLongest()}`);
}

async function upgradeAndRollBack(drill: Drill): Promise<void> {
  const { previous, access, traffic } = drill;
  const before = new Set(listMigrations(previousDir));
  const newMigrations = listMigrations(root).filter((name) => !before.has(name));
  assert(newMigrations.length > 0, 'this version has no new migration');
  await sleep(phaseMs);
  reportPhase('previous version alone', drill);
  const present = await startPresentVersion(previous);
  try {
    reportPhase(`start of this version with ${newMigrations.join(', ')}`, drill);
    traffic.to([previous.base_url, present.baseUrl]);
    await sleep(phaseMs);
    reportPhase('both versions', drill);
    traffic.to([present.baseUrl]);
    await scan(present.baseUrl, access);
    reportPhase('this version alone, and a scan', drill);
    traffic.to([previous.base_url]);
  } finally {
    // Requests are in progress.
    await present.stop();
  }
  await scan(previous.base_url, access);
  await sleep(phaseMs);
  reportPhase('previous version on the newer schema, and a scan', drill);
}

/** Starts this version on the data stores of the previous one. */
async function startPresentVersion(previous: StackFile) {
  const dataDir = await mkdtemp(join(scratch, 'data-'));
  await copyFile(join(scratch, 'previous-data', 'secrets.json'), join(dataDir, 'secrets.json'));
  const { postgres_url: postgres, redis_url: redis, nats_url: nats } = previous;
  const options = {
    ...privateStackOptions(dataDir, steadyEnvironment),
    externalUrls: { postgres, redis, nats },
  };
  return startStack(options, () => undefined);
}

/** Each prompt that got 201 is stored once. */
async function checkWrites({ previous, access: { orgId, key }, traffic }: Drill): Promise<void> {
  const client = new BrandVisibilityClient({ baseUrl: previous.base_url, apiKey: key });
  const times = new Map<string, number>();
  for (const { text } of await client.listPrompts({ orgId }).all())
    times.set(text, (times.get(text) ?? 0) + 1);
  assert.deepEqual(
    traffic.written.filter((text) => times.get(text) !== 1),
    [],
    'writes that are not stored once',
  );
}

async function upgrade(): Promise<void> {
  report(`from ${git('log', '-1', '--format=%h %s', from)}`);
  const { file: previous, stop } = await startPreviousVersion();
  try {
    const { org_id: orgId, brand_id: brandId } = previous.demo;
    const access = { orgId, brandId, key: await createKey(previous) };
    const locks = await watchLocks(previous.postgres_url);
    const traffic = startTraffic(previous.base_url, access);
    const drill = { previous, access, traffic, locks };
    let watchFailure: unknown;
    try {
      await upgradeAndRollBack(drill);
    } finally {
      await traffic.stop();
      watchFailure = await locks.stop();
    }
    assert.ifError(watchFailure);
    await checkWrites(drill);
    const { failures, written } = traffic;
    report(
      `${traffic.sent()} requests, ${failures.length} failed; ${written.length} writes are stored once; ` +
        `${traffic.repeated()} repeated because other requests wrote`,
    );
    assert.deepEqual(failures, [], `${failures.length} requests failed`);
  } finally {
    await stop();
  }
}

try {
  await upgrade();
} finally {
  if (existsSync(previousDir)) git('worktree', 'remove', '--force', previousDir);
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
