import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Reporter } from '../reporter.ts';
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

/** Installs the programs without starting them: their packages would start each as a system service. */
export async function installWithApt(missing: DataStoreId[], report: Reporter): Promise<boolean> {
  const names = missing.map((id) => packages[id].name);
  report(`installing with apt-get: ${names.join(', ')} ...`);
  const forbidden = forbidServiceStarts();
  try {
    const updated = await aptGet(['update'], report);
    const installed =
      updated && (await aptGet(['install', '--yes', '--no-install-recommends', ...names], report));
    if (installed) await disableAtBoot(missing);
    return installed;
  } finally {
    forbidden.end();
  }
}

/** Debian runs this script before it starts a service. Status 101 forbids the start. An existing policy is not changed. */
function forbidServiceStarts(): { end(): void } {
  const isOurs = existsSync(policyFile) && readFileSync(policyFile, 'utf8').includes(policyMark);
  if (existsSync(policyFile) && !isOurs) return { end: () => undefined };
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

/** Prevents the next boot from starting them. A container has no systemd, so there is nothing to do. */
async function disableAtBoot(ids: DataStoreId[]): Promise<void> {
  if (!existsSync('/run/systemd/system')) return;
  await run('systemctl', ['disable', '--quiet', ...ids.map((id) => packages[id].unit)]).catch(
    () => undefined,
  );
}

async function aptGet(args: string[], report: Reporter): Promise<boolean> {
  const child = spawn('apt-get', ['--quiet', '--option', 'DPkg::Lock::Timeout=120', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  createInterface(child.stdout).on('line', (line) => report(`  ${line}`));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const [status] = (await once(child, 'close').catch((error: unknown) => [String(error)])) as [unknown];
  if (status === 0) return true;
  for (const line of errors.slice(-10)) report(`  ${line}`);
  return false;
}
