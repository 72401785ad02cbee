import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Say } from '../progress.ts';
import type { DataStoreId } from './data-server.ts';

const run = promisify(execFile);

const packages: Record<DataStoreId, { name: string; unit: string }> = {
  postgres: { name: 'postgresql', unit: 'postgresql' },
  redis: { name: 'redis-server', unit: 'redis-server' },
  nats: { name: 'nats-server', unit: 'nats-server' },
};

const policyFile = '/usr/sbin/policy-rc.d';
const policyMark = '# brand-visibility: for the time of one installation';

export function canInstallWithApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

/** Installs the programs alone: their packages would also start each as a service of the machine. */
export async function installWithApt(missing: DataStoreId[], say: Say): Promise<boolean> {
  const names = missing.map((id) => packages[id].name);
  say(`installing with apt-get: ${names.join(', ')} ...`);
  const forbidden = forbidServiceStarts();
  try {
    const updated = await aptGet(['update'], say);
    const installed =
      updated && (await aptGet(['install', '--yes', '--no-install-recommends', ...names], say));
    if (installed) await disableAtBoot(missing);
    return installed;
  } finally {
    forbidden.end();
  }
}

/** Debian asks this script before it starts a service; 101 means no. A policy the machine has is left alone. */
function forbidServiceStarts(): { end(): void } {
  const leftBehind = existsSync(policyFile) && readFileSync(policyFile, 'utf8').includes(policyMark);
  if (existsSync(policyFile) && !leftBehind) return { end: () => undefined };
  writeFileSync(policyFile, `#!/bin/sh\n${policyMark}\nexit 101\n`, { mode: 0o755 });
  const end = (): void => rmSync(policyFile, { force: true });
  process.once('exit', end);
  return {
    end: () => {
      process.off('exit', end);
      end();
    },
  };
}

/** Nor should the next boot start them. In a container there is no systemd and nothing to do. */
async function disableAtBoot(ids: DataStoreId[]): Promise<void> {
  if (!existsSync('/run/systemd/system')) return;
  await run('systemctl', ['disable', '--quiet', ...ids.map((id) => packages[id].unit)]).catch(
    () => undefined,
  );
}

async function aptGet(args: string[], say: Say): Promise<boolean> {
  const child = spawn('apt-get', ['--quiet', '--option', 'DPkg::Lock::Timeout=120', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  createInterface(child.stdout).on('line', (line) => say(`  ${line}`));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const [status] = (await once(child, 'close').catch((error: unknown) => [String(error)])) as [unknown];
  if (status === 0) return true;
  for (const line of errors.slice(-10)) say(`  ${line}`);
  return false;
}
