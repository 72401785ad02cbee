/** Packs the clients of partners and the notebook with their checksums: `pnpm pack:clients [folder]`. The gateway serves the folder. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { packSdk } from './pack-sdk.ts';
import { packWheel } from './pack-wheel.ts';

const root = join(import.meta.dirname, '..');
const sums = 'SHA256SUMS';

/** Whether the packages are newer than everything they are made of. */
function isCurrent(folder: string): boolean {
  const packed = statSync(join(folder, sums), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(
    ['clients/sdk{,-python}/**/*.{ts,py,ipynb,json,md,toml}', 'scripts/pack-*.ts', 'LICENSE'],
    {
      cwd: root,
      exclude: (path) => ['node_modules', 'dist', 'test', 'tests'].includes(basename(path)),
    },
  );
  return sources.every((path) => statSync(join(root, path)).mtimeMs < packed);
}

function packClients(folder: string): void {
  if (isCurrent(folder)) return;
  // The folder is replaced at once, so that a gateway never serves half of it.
  const next = `${folder}.new`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  const notebook = join(next, 'visibility.ipynb');
  copyFileSync(join(root, 'clients/sdk-python/examples/visibility.ipynb'), notebook);
  const lines = [packSdk(next), packWheel(next), notebook].map((path) => {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${hash}  ${basename(path)}\n`;
  });
  writeFileSync(join(next, sums), lines.join(''));
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

packClients(resolve(process.argv[2] ?? join(root, 'docs/downloads')));
