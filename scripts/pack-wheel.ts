/** Packs clients/sdk-python as a wheel: pure Python is a zip archive with three files of metadata (PEP 427). */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { parse } from 'smol-toml';

const sdk = join(import.meta.dirname, '../clients/sdk-python');
const read = (path: string): string => readFileSync(join(sdk, path), 'utf8');

type Project = {
  name: string;
  description: string;
  'requires-python': string;
  license: string;
  keywords: string[];
  classifiers: string[];
  dependencies: string[];
  'optional-dependencies': Record<string, string[]>;
};

function metadata(project: Project, version: string): string {
  const optional = Object.entries(project['optional-dependencies']).flatMap(([extra, packages]) => [
    `Provides-Extra: ${extra}`,
    ...packages.map((each) => `Requires-Dist: ${each}; extra == '${extra}'`),
  ]);
  const lines = [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${project.license}`,
    `Keywords: ${project.keywords.join(',')}`,
    ...project.classifiers.map((each) => `Classifier: ${each}`),
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((each) => `Requires-Dist: ${each}`),
    ...optional,
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${read('README.md')}`;
}

/** The digest of RECORD: base64url without padding. */
const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64url');

/** Creates the wheel in `outDir` and returns its path. The same sources give the same bytes. */
export function packWheel(outDir: string): string {
  const { project } = parse(read('pyproject.toml')) as unknown as { project: Project };
  const version = /"(.+)"/.exec(read('src/bv_sdk/version.py'))?.[1] ?? '';
  const name = `${project.name.replaceAll('-', '_')}-${version}`;
  const sources = globSync('bv_sdk/*', { cwd: join(sdk, 'src') }).filter(
    (path) => !path.includes('__pycache__'),
  );
  const files = new Map(sources.toSorted().map((path) => [path, readFileSync(join(sdk, 'src', path))]));
  const info = `${name}.dist-info`;
  const tags = 'Wheel-Version: 1.0\nGenerator: bv\nRoot-Is-Purelib: true\nTag: py3-none-any\n';
  files.set(`${info}/METADATA`, Buffer.from(metadata(project, version)));
  files.set(`${info}/WHEEL`, Buffer.from(tags));
  const rows = [...files].map(([path, content]) => `${path},sha256=${digest(content)},${content.length}\n`);
  files.set(`${info}/RECORD`, Buffer.from(`${rows.join('')}${info}/RECORD,,\n`));
  // The earliest time of the format.
  const archive = zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) });
  const path = join(outDir, `${name}-py3-none-any.whl`);
  writeFileSync(path, archive);
  return path;
}
