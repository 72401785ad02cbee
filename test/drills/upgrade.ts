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
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BrandVisibilityClient } from '@bv/sdk';
import { privateStackOptions, startStack, steadyEnvironment, waitUntil } from '@bv/stack';
import { startTraffic, type Access, type Traffic } from './upgrade-traffic.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report = (line: string): void => console.log(line);

const { values } = parseArgs({ options: { from: { type: 'string' } } });
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
  const dataDir = join(scratch, 'data');
  await mkdir(dataDir, { recursive: true });
  await copyFile(join(scratch, 'previous-data', 'secrets.json'), join(dataDir, 'secrets.json'));
  const { postgres_url: postgres, redis_url: redis, nats_url: nats } = previous;
  const options = {
    ...privateStackOptions(dataDir, steadyEnvironment),
    externalUrls: { postgres, redis, nats },
  };
  const present = await startStack(options, () => undefined);
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

async function drill(): Promise<void> {
  report(`from ${git('log', '-1', '--format=%h %s', from)}`);
  const { file, stop } = await startPreviousVersion();
  try {
    const { org_id: orgId, brand_id: brandId } = file.demo;
    const key = await createKey(file);
    const access = { orgId, brandId, key };
    const traffic = startTraffic(file.base_url, access);
    try {
      await upgradeAndRollBack(file, access, traffic);
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
