/** Packs libs/sdk for partners: built files, types, README, examples, and a manifest without workspace fields. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const sdk = join(root, 'libs/sdk');

type Manifest = Record<string, unknown> & { name: string; version: string };

/** The manifest without `private`, development dependencies and source exports. */
function publicManifest(): Manifest {
  const manifest = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')) as Manifest;
  const { private: _, devDependencies: __, ...kept } = manifest;
  return {
    ...kept,
    files: ['dist', 'examples'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  };
}

/** Creates the tarball in `outDir` and returns its path. */
export function packSdk(outDir: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'bv-sdk-pack-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const build = ['--outDir', join(stage, 'dist'), '--tsBuildInfoFile', join(stage, '.tsbuildinfo')];
    execFileSync(process.execPath, [tsc, '-p', join(sdk, 'tsconfig.json'), '--sourceMap', 'false', ...build]);
    for (const name of ['README.md', 'examples']) {
      cpSync(join(sdk, name), join(stage, name), { recursive: true });
    }
    const manifest = publicManifest();
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const args = ['pack', '--silent', '--pack-destination', resolve(outDir)];
    const file = execFileSync('npm', args, { cwd: stage, encoding: 'utf8' }).trim();
    return join(resolve(outDir), file);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(packSdk(process.argv[2] ?? '.'));
