/**
 * Upgrades and rolls back a stack under traffic. No request may fail.
 *   1. The previous version serves: the commit before the newest migration, or `--from <commit>`.
 *   2. The migrations of this version run, and both versions serve.
 *   3. This version serves alone.
 *   4. The previous version serves alone again, on the newer schema.
 *   5. If the previous version has tables without partitions, this version serves alone and partitions them.
 * `--units 1000000` adds that many units first; the default is 20,000.
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
import { privateStackOptions, startStack, steadyEnvironment, waitUntil } from '@bv/stack';
import {
  addUnits,
  countMissing,
  isPartitioned,
  readResults,
  waitUntilPartitioned,
} from './upgrade-partitions.ts';
import { startTraffic, type Access, type Traffic } from './upgrade-traffic.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report = (line: string): void => console.log(line);

const { values } = parseArgs({
  options: { from: { type: 'string' }, units: { type: 'string', default: '20000' } },
});
const pattern = 'services/*/migrations/*.sql';
const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', pattern);
const from = git('rev-parse', '--verify', values.from ?? `${newest}^`);

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
    detached: true,
    stdio: ['ignore', log, log],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  const path = join(dataDir, 'stack.json');
  const started = await waitUntil(async () => existsSync(path), {
    timeoutMs: 240_000,
    intervalMs: 200,
    until: exited,
  });
  if (!started) {
    await stop();
    throw new Error(
      `the previous version did not start:\n${await readFile(join(scratch, 'previous.log'), 'utf8')}`,
    );
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

async function upgradeAndRollBack(previous: StackFile, access: Access, traffic: Traffic): Promise<void> {
  const before = new Set(listMigrations(previousDir));
  const added = listMigrations(root).filter((name) => !before.has(name));
  assert(added.length > 0, 'this version has no new migration');
  await sleep(phaseMs);
  report(
    `previous version alone: ${traffic.sent()} requests; starting this version with ${added.join(', ')}`,
  );
  const present = await startPresentVersion(previous);
  try {
    traffic.to([previous.base_url, present.baseUrl]);
    await sleep(phaseMs);
    report(`both versions: ${traffic.sent()} requests`);
    traffic.to([present.baseUrl]);
    await scan(present.baseUrl, access);
    report(`this version alone: ${traffic.sent()} requests and a scan; rolling back`);
    traffic.to([previous.base_url]);
    await sleep(1_000);
  } finally {
    await present.stop();
  }
  await scan(previous.base_url, access);
  await sleep(phaseMs);
  report(`previous version on the newer schema: ${traffic.sent()} requests and a scan`);
}

/** Starts this version on the data stores of the previous one. */
async function startPresentVersion(previous: StackFile, environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(scratch, 'data-'));
  await copyFile(join(scratch, 'previous-data', 'secrets.json'), join(dataDir, 'secrets.json'));
  const { postgres_url: postgres, redis_url: redis, nats_url: nats } = previous;
  const options = {
    ...privateStackOptions(dataDir, { ...steadyEnvironment, ...environment }),
    externalUrls: { postgres, redis, nats },
  };
  return startStack(options, () => undefined);
}

/** The previous version still reads the same afterwards, but it could not store results. */
async function partition(previous: StackFile, access: Access, traffic: Traffic): Promise<void> {
  const { postgres_url: postgres } = previous;
  if ((await isPartitioned(postgres)) !== false) return report('the tables are partitioned already');
  const before = await readResults(previous.base_url, access);
  const startedAt = performance.now();
  const present = await startPresentVersion(previous, { PARTITION_TABLES: 'switch' });
  try {
    traffic.to([present.baseUrl]);
    await waitUntilPartitioned(postgres);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    report(`partitioned after ${seconds} s: ${traffic.sent()} requests`);
    assert.deepEqual(await readResults(present.baseUrl, access), before);
    assert.deepEqual(await countMissing(postgres), { units: 0, brands: 0, sources: 0 });
    await sleep(phaseMs);
    traffic.to([previous.base_url]);
    await sleep(1_000);
  } finally {
    await present.stop();
  }
  assert.deepEqual(await readResults(previous.base_url, access), before);
  report(`${before.mentions.length} mentions and every other page are the same: ${traffic.sent()} requests`);
}

async function drill(): Promise<void> {
  report(`from ${git('log', '-1', '--format=%h %s', from)}`);
  const { file, stop } = await startPreviousVersion();
  try {
    const { org_id: orgId, brand_id: brandId } = file.demo;
    const key = await createKey(file);
    const access = { orgId, brandId, key };
    if ((await isPartitioned(file.postgres_url)) !== true) {
      await addUnits(file.postgres_url, Number(values.units), access);
      report(`${values.units} units added`);
    }
    const traffic = startTraffic(file.base_url, access);
    try {
      await upgradeAndRollBack(file, access, traffic);
      await partition(file, access, traffic);
    } finally {
      await traffic.stop();
    }
    assert.deepEqual(traffic.failures.slice(0, 10), [], `${traffic.failures.length} requests failed`);
    const client = new BrandVisibilityClient({ baseUrl: file.base_url, apiKey: key });
    const texts = (await client.listPrompts({ orgId }).all()).map(({ text }) => text);
    const lost = traffic.written.filter((mark) => texts.filter((text) => text === mark).length !== 1);
    assert.deepEqual(lost, [], 'writes that are not stored once');
    report(
      `${traffic.sent()} requests, ${traffic.written.length} writes: none failed, each write is stored once`,
    );
  } finally {
    await stop();
  }
}

try {
  await drill();
} finally {
  if (existsSync(previousDir)) git('worktree', 'remove', '--force', previousDir);
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
