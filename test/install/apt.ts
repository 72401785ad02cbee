import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs Debian packages if this machine allows it. Otherwise it throws and names what is missing. */
export function installWithApt(packages: string[], need: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(need);
  console.log(`installing with apt-get: ${packages.join(', ')} ...`);
  const options = ['--quiet', '--option', 'DPkg::Lock::Timeout=120'];
  runToEnd('apt-get', [...options, 'update']);
  runToEnd('apt-get', [...options, 'install', '--yes', '--no-install-recommends', ...packages]);
}

/** Runs a program without its output, and throws if it fails. */
export function runToEnd(command: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...environment },
  });
  if (status !== 0) throw new Error(`${command} ended with status ${status}`, { cause: error });
}
