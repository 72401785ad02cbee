import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const toolsDir = join(import.meta.dirname, '../../../.tools/chart');

/** Exact versions. They are built once from the Go module proxy and reused. */
const programs = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  helm3: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
};

/** Go modules with the schemas of the chart's objects. */
const modules = {
  kubernetes: 'k8s.io/kubernetes@v1.35.4',
  prometheusOperator: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  gatewayApi: 'sigs.k8s.io/gateway-api@v1.6.1',
  keda: 'github.com/kedacore/keda/v2@v2.21.0',
};

export type Program = keyof typeof programs;
export type Module = keyof typeof modules;

export const schemasDir = join(
  toolsDir,
  `schemas-${Object.values(modules)
    .map((module) => module.split('@v')[1])
    .join('-')}`,
);

const binDir = (program: Program): string => join(toolsDir, `${program}-${programs[program].split('@')[1]}`);

export async function installProgram(program: Program): Promise<string> {
  const dir = binDir(program);
  const file = join(dir, basename(programs[program].split('@')[0] ?? ''));
  if (existsSync(file)) return file;
  await mkdir(dir, { recursive: true });
  console.log(`building ${programs[program]} ...`);
  await run('go', ['install', programs[program]], {
    env: { ...process.env, GOBIN: dir, GOFLAGS: '-buildvcs=false' },
  });
  return file;
}

/** The directory of a Go module's sources. */
export async function fetchModule(module: Module): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', modules[module]], {
    env: { ...process.env, GOFLAGS: '' },
    maxBuffer: 1 << 24,
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** promtool of this machine, or extracted from the Debian package without installing it. */
export async function installPromtool(): Promise<string> {
  const [dir, onPath] = [
    join(toolsDir, 'promtool'),
    await run('promtool', ['--version']).catch(() => undefined),
  ];
  if (onPath) return 'promtool';
  const file = join(dir, 'promtool');
  if (existsSync(file)) return file;
  console.log("taking promtool out of Debian's package prometheus ...");
  const scratch = await mkdtemp(join(tmpdir(), 'bv-promtool-'));
  try {
    const download = (): Promise<unknown> => run('apt-get', ['download', 'prometheus'], { cwd: scratch });
    await download().catch(() => run('apt-get', ['update']).then(download));
    const [archive = ''] = await readdir(scratch);
    await run('dpkg-deb', ['--extract', join(scratch, archive), join(scratch, 'files')]);
    await mkdir(dir, { recursive: true });
    await run('cp', [join(scratch, 'files/usr/bin/promtool'), `${file}.new`]);
    await rename(`${file}.new`, file);
    return file;
  } finally {
    await rm(scratch, { recursive: true });
  }
}
