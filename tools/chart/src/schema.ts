import { loadConfigSchema } from '@bv/codegen';
import { z } from 'zod';
import { components, isSettable } from './components.ts';
import { freeForms, type Schema } from './free-forms.ts';
import { isMap, readComments, readValues, type Values } from './values.ts';

const typeOf = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

/** The schema of the current values. It rejects unknown keys, except in free-form Kubernetes fields. */
function schemaOf(path: readonly string[], value: unknown, comments: Map<string, string>): Schema {
  const description = comments.get(path.join('.'));
  const described = description === undefined ? {} : { description };
  const free = freeForms(path);
  if (free) return { ...described, ...free };
  if (isMap(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, schemaOf([...path, key], child, comments)]),
    );
    return { ...described, type: 'object', additionalProperties: false, properties };
  }
  if (value === null || Array.isArray(value)) throw new Error(`no schema for ${path.join('.')}`);
  return { ...described, type: typeOf(value) };
}

/** The variables of docs/configuration.md that `config` may set: Helm rejects a misspelt one. */
async function configSchema(values: string, service: string): Promise<Schema> {
  const { shape } = await loadConfigSchema(service);
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (!isSettable(values, name)) continue;
    const property = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const description = (field as z.ZodType).meta()?.description ?? property.description;
    properties[name] = {
      ...(description === undefined ? {} : { description }),
      ...(property.enum ? { enum: property.enum } : { type: ['string', 'integer', 'number', 'boolean'] }),
      ...(property.minimum === undefined ? {} : { minimum: property.minimum }),
      ...(property.maximum === undefined ? {} : { maximum: property.maximum }),
    };
  }
  return { type: 'object', additionalProperties: false, properties };
}

const commonConfig = [
  'CHECK_RESPONSES',
  'DATABASE_POOL_SIZE',
  'DRAIN_MS',
  'LOG_LEVEL',
  'NATS_REPLICAS',
  'SERVICE_HOST',
];

/**
 * The components that KEDA scales by a queue, with their minimum number of pods. Workers can scale up from 0, because
 * scans measures their queue; calls of the LLM judge by results are not in it. One dispatcher is required: it also takes
 * over deliveries of a stopped one, which no queue metric shows.
 */
const fewestPods: Record<string, number> = { scansWorker: 0, webhooksDispatcher: 1 };

function kedaFrom(keda: Schema, minimum: number): Schema {
  const properties = keda['properties'];
  return {
    ...keda,
    properties: { ...properties, minReplicaCount: { ...properties.minReplicaCount, minimum } },
  };
}

/** A component accepts all keys of the defaults, a repository, and the variables of its service. */
async function componentSchema(values: string, defaults: Values, own: Schema): Promise<Schema> {
  const { service } = components[values] ?? {};
  if (!service) throw new Error(`no component ${values}`);
  const { keda, config: _, image, ...rest } = defaults as Record<string, Schema>;
  const fewest = fewestPods[values];
  const imageProperties = { ...image?.['properties'], ...own['properties']?.image?.properties };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...rest,
      image: { type: 'object', additionalProperties: false, properties: imageProperties },
      config: await configSchema(values, service),
      ...(keda === undefined || fewest === undefined ? {} : { keda: kedaFrom(keda, fewest) }),
    },
  };
}

export async function valuesSchema(): Promise<Schema> {
  const comments = readComments();
  const values = readValues();
  const schema = schemaOf([], values, comments);
  const properties = schema['properties'];
  const defaults = properties.defaults.properties;
  const common = await configSchema('defaults', 'catalog');
  defaults.config = {
    ...common,
    properties: Object.fromEntries(commonConfig.map((name) => [name, common['properties'][name]])),
  };
  const keda = defaults.keda;
  // The defaults also apply to the dispatcher.
  const shared = kedaFrom(keda, Math.max(...Object.values(fewestPods)));
  defaults.keda = { ...shared, properties: { ...shared['properties'], enabled: { const: false } } };
  for (const name of Object.keys(components)) {
    properties[name] = await componentSchema(name, { ...defaults, keda }, properties[name]);
  }
  properties.migrations.properties.config = await configSchema('migrations', 'migrate');
  // Values that a parent chart passes to all its subcharts.
  properties.global = { type: 'object' };
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'brand-visibility', ...schema };
}
