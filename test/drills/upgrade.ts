/**
 * Upgrades and rolls back a stack under traffic: no request may fail, and each acknowledged write is stored once.
 *   1. The base serves: the last commit, or `--from <commit>`.
 *   2. The migrations of this working tree run, and one of `fixtures/` that the base lacks: it adds a column.
 *   3. Both versions serve, then this one alone, then the base alone on the newer schema.
 * The base is the last commit, so that the fixture differs for certain. Another base must not have other text in a
 * migration that both have: such databases exist in development only.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrate } from '@bv/postgres';
import { BrandVisibilityClient } from '@bv/sdk';
import { privateStackOptions, startStack, steadyEnvironment, waitUntil } from '@bv/local-stack';
import pg from 'pg';
import { startTraffic, type Access, type Traffic } from './upgrade-traffic.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report = (line: string): void => console.log(line);
const { values } = parseArgs({ options: { from: { type: 'string', default: 'HEAD' } } });
const scratch = await mkdtemp(join(tmpdir(), 'bv-upgrade-'));
await chmod(scratch, 0o755);
const baseDir = join(scratch, 'base');
const dataDir = join(scratch, 'base-data');
const phaseMs = 5_000;

type StackFile = Record<`${'postgres' | 'redis' | 'nats' | 'base' | 'operator'}_url`, string> & {
  operator_token: string;
  demo: { org_id: string; brand_id: string };
};

/** Starts the base with `npm start` and separate data stores. */
async function startBase(): Promise<{ file: StackFile; stop: () => Promise<void> }> {
  git('worktree', 'add', '--quiet', '--detach', baseDir, values.from);
  const log = openSync(join(scratch, 'base.log'), 'a');
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start', '--free-ports', '--data-dir', dataDir], {
    cwd: baseDir,
    env: { ...process.env, ...steadyEnvironment },
    detached: true,
    stdio: ['ignore', log, log],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  const readLog = (): Promise<string> => readFile(join(scratch, 'base.log'), 'utf8');
  const started = await waitUntil(async () => (await readLog()).includes('everything is running'), {
    timeoutMs: 600_000,
    intervalMs: 200,
    until: exited,
  });
  if (!started) {
    await stop();
    throw new Error(`the base did not start:\n${await readLog()}`);
  }
  return { file: JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile, stop };
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

/** Applies the migrations of catalog and the fixture, and checks that its column exists. */
async function migrateCatalog({ postgres_url: postgres }: StackFile): Promise<void> {
  const dir = join(scratch, 'migrations');
  await cp(join(root, 'services/catalog/migrations'), dir, { recursive: true });
  await cp(join(import.meta.dirname, 'fixtures'), dir, { recursive: true });
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  const url = new URL(postgres);
  Object.assign(url, { username: 'bv_catalog', password: secrets.servicePasswords.catalog });
  url.pathname = '/brand_visibility';
  report(`migrated: ${(await migrate({ connectionString: url.href, dir })).join(', ')}`);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select upgrade_drill from prompts limit 1');
  } finally {
    await client.end();
  }
}

/** Starts this version on the data stores of the base. */
async function startPresent({ postgres_url: postgres, redis_url: redis, nats_url: nats }: StackFile) {
  const presentDir = await mkdtemp(join(scratch, 'data-'));
  await copyFile(join(dataDir, 'secrets.json'), join(presentDir, 'secrets.json'));
  const options = privateStackOptions(presentDir, steadyEnvironment);
  return startStack({ ...options, externalUrls: { postgres, redis, nats } }, () => undefined);
}

/** Requests a scan and waits until it is completed. */
async function scan(baseUrl: string, { orgId, brandId, key }: Access): Promise<void> {
  const client = new BrandVisibilityClient({ baseUrl, apiKey: key });
  const at = { orgId, brandId };
  const { job_id: jobId } = await client.requestScan(at);
  const isCompleted = async () => (await client.getScan({ ...at, jobId })).status === 'completed';
  assert(await waitUntil(isCompleted, { timeoutMs: 90_000, intervalMs: 300 }), 'a scan is not completed');
}

async function upgradeAndRollBack(base: StackFile, access: Access, traffic: Traffic): Promise<void> {
  const reportPhase = (phase: string): void =>
    report(`${phase}: ${traffic.sent()} requests; the longest: ${traffic.takeLongest()}`);
  await sleep(phaseMs);
  reportPhase('base alone');
  await migrateCatalog(base);
  const present = await startPresent(base);
  try {
    reportPhase('migration and start of this version');
    traffic.to([base.base_url, present.baseUrl]);
    await sleep(phaseMs);
    reportPhase('both versions');
    traffic.to([present.baseUrl]);
    await scan(present.baseUrl, access);
    reportPhase('this version alone, and a scan');
    traffic.to([base.base_url]);
  } finally {
    // Requests are in progress.
    await present.stop();
  }
  await scan(base.base_url, access);
  reportPhase('base on the newer schema, and a scan');
}

/** Each prompt that got 201 is stored once. */
async function checkWrites(baseUrl: string, { orgId, key }: Access, written: string[]): Promise<void> {
  const client = new BrandVisibilityClient({ baseUrl, apiKey: key });
  const times = new Map<string, number>();
  for (const { text } of await client.listPrompts({ orgId }).all())
    times.set(text, (times.get(text) ?? 0) + 1);
  const lost = written.filter((text) => times.get(text) !== 1);
  assert.deepEqual(lost, [], 'writes that are not stored once');
}

async function upgrade(): Promise<void> {
  report(`from ${git('log', '-1', '--format=%h %s', values.from)}`);
  const { file: base, stop } = await startBase();
  try {
    const { org_id: orgId, brand_id: brandId } = base.demo;
    const access = { orgId, brandId, key: await createKey(base) };
    const traffic = startTraffic(base.base_url, access);
    try {
      await upgradeAndRollBack(base, access, traffic);
    } finally {
      await traffic.stop();
    }
    const { failures, written } = traffic;
    await checkWrites(base.base_url, access, written);
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
  if (existsSync(baseDir)) git('worktree', 'remove', '--force', baseDir);
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
