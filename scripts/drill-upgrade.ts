/**
 * Tries an upgrade and its rollback under traffic: the version before the newest migration, from the history of the
 * repository, serves; the migrations of this version run under it; both versions serve side by side, then this one
 * alone, then, rolled back, the former one alone on the newer schema. Not one request may fail.
 * `--from <commit>` chooses another former version.
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
import { startTraffic, type Place, type Traffic } from './drill-upgrade/traffic.ts';

const root = join(import.meta.dirname, '..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const say = (line: string): void => console.log(line);

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const pattern = 'services/*/migrations/*.sql';
const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', pattern);
const from = git('rev-parse', '--verify', values.from ?? `${newest}^`);

const scratch = await mkdtemp(join(tmpdir(), 'bv-upgrade-'));
await chmod(scratch, 0o755);
const formerDir = join(scratch, 'former');
const phaseMs = 5_000;

const migrationsOf = (dir: string): string[] =>
  readdirSync(join(dir, 'services')).flatMap((service) => {
    const folder = join(dir, 'services', service, 'migrations');
    return existsSync(folder) ? readdirSync(folder).map((name) => `${service}/${name}`) : [];
  });

type StackFile = Record<`${'postgres' | 'redis' | 'nats' | 'base' | 'operator'}_url`, string> & {
  operator_token: string;
  demo: { org_id: string; brand_id: string };
};

/** The former version as its users start it, with data stores of its own. */
async function startFormer(): Promise<{ file: StackFile; stop: () => Promise<void> }> {
  git('worktree', 'add', '--quiet', '--detach', formerDir, from);
  const log = openSync(join(scratch, 'former.log'), 'a');
  const dataDir = join(scratch, 'former-data');
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start', '--free-ports', '--data-dir', dataDir], {
    cwd: formerDir,
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
      `the former version did not start:\n${await readFile(join(scratch, 'former.log'), 'utf8')}`,
    );
  }
  return { file: JSON.parse(await readFile(path, 'utf8')) as StackFile, stop };
}

/** One that is never short of allowance. */
async function makeKey({ operator_url: url, operator_token: token, demo }: StackFile): Promise<string> {
  const response = await fetch(`${url}/orgs/${demo.org_id}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['read', 'write'], per_minute: 1_000_000 }),
  });
  return ((await response.json()) as { data: { key: string } }).data.key;
}

/** A scan from its request to its scores, by whichever version is asked. */
async function scan(baseUrl: string, { orgId, brandId, key }: Place): Promise<void> {
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

async function upgradeAndRollBack(former: StackFile, place: Place, traffic: Traffic): Promise<void> {
  const before = new Set(migrationsOf(formerDir));
  const added = migrationsOf(root).filter((name) => !before.has(name));
  assert(added.length > 0, 'this version has no migration that the former one lacks');
  await sleep(phaseMs);
  say(
    `the former version alone: ${traffic.sent()} requests; now ${added.join(', ')} and this version beside it`,
  );
  const dataDir = join(scratch, 'data');
  await mkdir(dataDir, { recursive: true });
  await copyFile(join(scratch, 'former-data', 'secrets.json'), join(dataDir, 'secrets.json'));
  const { postgres_url: postgres, redis_url: redis, nats_url: nats } = former;
  const options = {
    ...privateStackOptions(dataDir, steadyEnvironment),
    givenUrls: { postgres, redis, nats },
  };
  const present = await startStack(options, () => undefined);
  try {
    traffic.to([former.base_url, present.baseUrl]);
    await sleep(phaseMs);
    say(`both: ${traffic.sent()} requests`);
    traffic.to([present.baseUrl]);
    await scan(present.baseUrl, place);
    say(`this version alone in front: ${traffic.sent()} requests and a scan; now back`);
    traffic.to([former.base_url]);
    await sleep(1_000);
  } finally {
    await present.stop();
  }
  await scan(former.base_url, place);
  await sleep(phaseMs);
  say(`the former version on the newer schema: ${traffic.sent()} requests and a scan`);
}

async function drill(): Promise<void> {
  say(`from ${git('log', '-1', '--format=%h %s', from)}`);
  const { file, stop } = await startFormer();
  try {
    const { org_id: orgId, brand_id: brandId } = file.demo;
    const key = await makeKey(file);
    const place = { orgId, brandId, key };
    const traffic = startTraffic(file.base_url, place);
    try {
      await upgradeAndRollBack(file, place, traffic);
    } finally {
      await traffic.stop();
    }
    assert.deepEqual(traffic.failures.slice(0, 10), [], `${traffic.failures.length} requests failed`);
    const client = new BrandVisibilityClient({ baseUrl: file.base_url, apiKey: key });
    const texts = (await client.listPrompts({ orgId }).all()).map(({ text }) => text);
    const lost = traffic.written.filter((mark) => texts.filter((text) => text === mark).length !== 1);
    assert.deepEqual(lost, [], 'writes that are not there once');
    say(
      `${traffic.sent()} requests, ${traffic.written.length} writes: none failed, each write is there once`,
    );
  } finally {
    await stop();
  }
}

try {
  await drill();
} finally {
  if (existsSync(formerDir)) git('worktree', 'remove', '--force', formerDir);
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
