import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGoTool } from '@bv/measure';

const root = fileURLToPath(new URL('../../', import.meta.url));
const moduleDir = fileURLToPath(new URL('../k6/', import.meta.url));

type Reporter = (text: string) => void;

const requiredVersion = (): string => {
  const version = /k6\/v2 v(\S+)/.exec(readFileSync(join(moduleDir, 'go.mod'), 'utf8'))?.[1];
  if (version === undefined) throw new Error('loadtests/k6/go.mod names no k6');
  return version;
};

/** Path of k6 in the version of go.mod: from the PATH, or built once from the Go module proxy (two to five minutes). */
export async function findOrBuildK6(report: Reporter): Promise<string> {
  const version = requiredVersion();
  const own = join(root, '.tools', 'k6', `k6-${version}`);
  if (existsSync(own)) return own;
  const { status, stdout } = spawnSync('k6', ['version'], { encoding: 'utf8' });
  if (status === 0 && stdout.includes(`v${version} `)) {
    report(`k6 ${version} found on the PATH`);
    return 'k6';
  }
  await buildGoTool({
    name: `k6 ${version}`,
    target: 'go.k6.io/k6/v2',
    moduleDir,
    file: own,
    otherwise: `, or k6 ${version} (https://k6.io)`,
  });
  return own;
}

export type K6Run = {
  script: string;
  dataFile: string;
  logFile: string;
  summaryFile: string;
  addresses: number;
};

/** Runs one script to its end. Exit code 99 means a missed objective, which the summary file also lists. */
export async function runK6(k6: string, run: K6Run, onStart: (kill: () => void) => void): Promise<void> {
  const args = ['run', '--quiet', '--no-color', '--no-usage-report', '--address='];
  args.push(`--log-output=file=${run.logFile},level=info`, '--log-format=raw');
  if (run.addresses > 0) args.push(`--local-ips=127.0.1.1-127.0.1.${run.addresses}`);
  const script = fileURLToPath(new URL(`../scenarios/${run.script}`, import.meta.url));
  const child = spawn(k6, [...args, script], {
    env: { ...process.env, DATA: run.dataFile, SUMMARY: run.summaryFile },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onStart(() => child.kill('SIGINT'));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && code !== 99) throw new Error(`k6 exited with ${code}; see ${run.logFile}`);
}
