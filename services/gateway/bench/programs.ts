import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('../../../.tools/', import.meta.url));
const folder = join(tools, 'edge-peers');

/** Programs with their libraries. They are unpacked, not installed, so that no service starts by itself. */
const packages = [
  'wrk',
  'nginx',
  'libnginx-mod-http-ndk',
  'libnginx-mod-http-lua',
  'libluajit2-5.1-2',
  'libpcre3',
  'lua-resty-core',
  'lua-resty-lrucache',
  'lua-nginx-redis',
];

export type Programs = {
  wrk: string;
  nginx: string;
  nginxModules: string;
  luaPath: string;
  /** Environment of all programs. */
  env: Record<string, string>;
};

/** Debian's own builds of the peers and of the load generator, fetched once into .tools/edge-peers. */
export function findPrograms(report: (text: string) => void): Programs {
  if (!existsSync(folder)) {
    report('getting nginx and wrk from Debian into .tools/edge-peers ...');
    fetchPackages();
  }
  const at = (path: string): string => join(folder, path);
  return {
    wrk: at('usr/bin/wrk'),
    nginx: at('usr/sbin/nginx'),
    nginxModules: at('usr/lib/nginx/modules'),
    luaPath: `${at('usr/share/lua/5.1')}/?.lua`,
    env: { LD_LIBRARY_PATH: `${at('usr/lib/x86_64-linux-gnu')}:${at('lib/x86_64-linux-gnu')}` },
  };
}

function fetchPackages(): void {
  mkdirSync(tools, { recursive: true });
  const fresh = mkdtempSync(join(tools, 'fetching-'));
  try {
    run('apt-get', ['--quiet', 'download', ...packages], fresh);
    mkdirSync(join(fresh, 'root'));
    for (const file of readdirSync(fresh).filter((name) => name.endsWith('.deb'))) {
      run('dpkg-deb', ['--extract', file, 'root'], fresh);
    }
    renameSync(join(fresh, 'root'), folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    `${command} failed; the peers come from Debian's packages (run apt-get update first?)\n${stderr ?? ''}`,
  );
}
