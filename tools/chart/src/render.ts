import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import type { Schema } from './free-forms.ts';
import { installProgram } from './tools.ts';
import { chartDir, type Values } from './values.ts';

const run = promisify(execFile);

/** A Kubernetes object; its fields depend on its kind. */
export type Manifest = Schema;

type Rendering = { files?: string[]; values?: Values; release?: string; program?: 'helm' | 'helm3' };

export const valuesFiles = async (): Promise<string[]> =>
  (await readdir(join(chartDir, 'ci'))).toSorted().map((name) => join(chartDir, 'ci', name));

/** Runs helm and returns its output. Throws with its standard error if helm fails. */
export async function helm(program: 'helm' | 'helm3', ...words: string[]): Promise<string> {
  const { stdout } = await run(await installProgram(program), words, { maxBuffer: 1 << 26 });
  return stdout;
}

export async function renderText({
  files = [],
  values,
  release = 'bv',
  program = 'helm',
}: Rendering): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bv-chart-'));
  try {
    const own = join(dir, 'values.yaml');
    await writeFile(own, stringify(values ?? {}));
    const given = [...files, own].flatMap((file) => ['--values', file]);
    return await helm(program, 'template', release, chartDir, '--namespace', 'prod', ...kubernetes, ...given);
  } finally {
    await rm(dir, { recursive: true });
  }
}

export async function render(rendering: Rendering): Promise<Manifest[]> {
  return parseAllDocuments(await renderText(rendering))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export const evaluation: Values = { evaluation: { enabled: true } };

/** Helm from the Go module proxy does not know the version that a release of Helm assumes. */
const kubernetes = ['--kube-version', '1.35.0'];

const existing = { existingSecret: 's' };
/** The least values of a production. */
export const production: Values = { secrets: existing, postgres: existing, redis: existing, nats: existing };

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(String(kind)));

export function named(manifests: readonly Manifest[], kind: string, suffix: string): Manifest {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name.endsWith(`-${suffix}`));
  if (!found) throw new Error(`no ${kind} …-${suffix}`);
  return found;
}

export type Workload = { kind: string; name: string; component: string; labels: Values; pod: Schema };

/** All objects that create pods. */
export function workloads(manifests: readonly Manifest[]): Workload[] {
  return ofKind(manifests, 'Deployment', 'StatefulSet', 'Job', 'Pod').map((manifest) => {
    const template = manifest['kind'] === 'Pod' ? manifest : manifest['spec'].template;
    return {
      kind: manifest['kind'],
      name: manifest['metadata'].name,
      component: template.metadata.labels['app.kubernetes.io/component'],
      labels: template.metadata.labels,
      pod: template.spec,
    };
  });
}

export const containersOf = ({ pod }: Workload): Schema[] => [
  ...(pod['initContainers'] ?? []),
  ...pod['containers'],
];
