import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Schema } from './free-forms.ts';
import { fetchModule, schemasDir } from './tools.ts';

type Kind = { group: string; version: string; kind: string };

const fileName = ({ group, version, kind }: Kind): string =>
  `${[kind, group, version].filter(Boolean).join('-').toLowerCase()}.json`;

/** The file name that kubeconform expects. */
export const schemaLocation = `${schemasDir}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;

/** Replaces references by the schemas, which reject unknown properties. */
function inlined(schema: Schema, definitions: Record<string, Schema>, way: readonly string[] = []): Schema {
  const name = (schema['$ref'] as string | undefined)?.replace('#/definitions/', '');
  if (name !== undefined) {
    const definition = definitions[name];
    // A recursive schema, such as a JSON schema, is checked on its first level only.
    if (!definition || way.includes(name)) return {};
    return inlined(definition, definitions, [...way, name]);
  }
  if (schema['x-kubernetes-int-or-string'] || schema['format'] === 'int-or-string') {
    return { type: ['string', 'integer'] };
  }
  const result: Schema = { ...schema };
  if (schema['properties']) {
    result['properties'] = Object.fromEntries(
      Object.entries(schema['properties'] as Record<string, Schema>).map(([key, part]) => [
        key,
        inlined(part, definitions, way),
      ]),
    );
    if (!schema['x-kubernetes-preserve-unknown-fields']) result['additionalProperties'] ??= false;
  }
  for (const key of ['items', 'additionalProperties']) {
    if (typeof schema[key] === 'object') result[key] = inlined(schema[key], definitions, way);
  }
  return result;
}

/** A quantity may also be a number. */
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

async function kubernetesSchemas(): Promise<Map<string, Schema>> {
  const dir = await fetchModule('kubernetes');
  const text = await readFile(join(dir, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
  definitions[quantity] = { type: ['string', 'number'] };
  const schemas = new Map<string, Schema>();
  for (const definition of Object.values(definitions)) {
    const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as Kind[];
    // Request options have one kind per group; objects have a single kind.
    const [kind, ...others] = kinds;
    if (!kind || others.length > 0 || kind.kind.endsWith('List')) continue;
    // The suffix of kubeconform contains only the first part of the group.
    const file = fileName({ ...kind, group: kind.group.split('.')[0] ?? '' });
    schemas.set(file, inlined(definition, definitions));
  }
  return schemas;
}

async function customSchemas(dir: string): Promise<Map<string, Schema>> {
  const schemas = new Map<string, Schema>();
  const files = (await readdir(dir)).filter((name) => name.endsWith('.yaml'));
  for (const name of files) {
    for (const document of parseAllDocuments(await readFile(join(dir, name), 'utf8'))) {
      const { kind, spec } = (document.toJS() ?? {}) as { kind?: string; spec: Schema };
      if (kind !== 'CustomResourceDefinition') continue;
      for (const { name: version, schema } of spec['versions']) {
        const group = String(spec['group']).split('.')[0] ?? '';
        const closed = inlined(schema.openAPIV3Schema as Schema, {});
        // The definition declares metadata without its type, which only the API server knows.
        closed['properties'].metadata = { type: 'object' };
        schemas.set(fileName({ group, version, kind: spec['names'].kind }), closed);
      }
    }
  }
  return schemas;
}

/** Writes a schema for every kind of Kubernetes and of the supported operators, once. */
export async function prepareSchemas(): Promise<void> {
  if (existsSync(schemasDir)) return;
  console.log('reading the schemas of Kubernetes, Prometheus Operator, Gateway API and KEDA ...');
  const sources = await Promise.all([
    kubernetesSchemas(),
    fetchModule('prometheusOperator').then((dir) =>
      customSchemas(join(dir, 'example/prometheus-operator-crd')),
    ),
    fetchModule('gatewayApi').then((dir) => customSchemas(join(dir, 'config/crd/standard'))),
    fetchModule('keda').then((dir) => customSchemas(join(dir, 'config/crd/bases'))),
  ]);
  const unfinished = `${schemasDir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  for (const [file, schema] of sources.flatMap((source) => [...source])) {
    await writeFile(join(unfinished, file), JSON.stringify(schema));
  }
  await rename(unfinished, schemasDir);
}
