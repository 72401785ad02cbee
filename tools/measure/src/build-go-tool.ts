import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type GoTool = {
  name: string;
  /** The import path of its command. */
  target: string;
  /** The directory of go.mod and go.sum, which pin what is built. */
  moduleDir: string;
  /** The built program, which later runs reuse. */
  file: string;
  /** An alternative for a machine without Go, for the error message. */
  otherwise?: string;
};

/** Builds a program once with Go from the module proxy, in a separate module. It takes minutes. */
export async function buildGoTool({ name, target, moduleDir, file, otherwise = '' }: GoTool): Promise<void> {
  if (existsSync(file)) return;
  if (spawnSync('go', ['version']).status !== 0)
    throw new Error(`${name} is built by Go: install Go 1.25 or later${otherwise}`);
  process.stderr.write(`building ${name} with go from the module proxy; takes minutes, once ...\n`);
  const dir = mkdtempSync(join(tmpdir(), 'bv-go-'));
  try {
    for (const each of ['go.mod', 'go.sum']) copyFileSync(join(moduleDir, each), join(dir, each));
    const fresh = `${file}.${process.pid}`;
    mkdirSync(dirname(file), { recursive: true });
    const child = spawn('go', ['build', '-trimpath', '-o', fresh, target], {
      cwd: dir,
      // oxlint-disable-next-line node/no-process-env -- go needs its paths and caches
      env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    const messages = errors
      .join('')
      .split('\n')
      .filter((line) => !line.startsWith('go: downloading'));
    if (code !== 0) throw new Error(`${name} could not be built:\n${messages.slice(-10).join('\n')}`);
    renameSync(fresh, file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  process.stderr.write(`${name} is built\n`);
}
