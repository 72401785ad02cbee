/** Parameters and fields as tables of two columns, which fit a phone. */
import { document, type Parameter, type Schema } from './openapi.ts';

const resolve = (schema: Schema): Schema => {
  const { $ref, allOf, ...rest } = schema;
  const parts = [...($ref === undefined ? [] : [{ $ref }]), ...(allOf ?? [])];
  const target = ($ref: string): Schema => document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
  return Object.assign(
    {},
    ...parts.map((part) => (part.$ref ? resolve(target(part.$ref)) : resolve(part))),
    rest,
  );
};

const escape = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

function typeOf(schema: Schema): string {
  const { type, format, items, anyOf, oneOf, enum: values } = resolve(schema);
  const options = anyOf ?? oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (values !== undefined) return values.length === 1 ? `\`${String(values[0])}\`` : 'text';
  const names = [type ?? 'any'].flat().map((name) => {
    if (name === 'array') return `list of ${typeOf(items ?? {})}`;
    if (name === 'string') return format ?? 'text';
    return name;
  });
  return names.join(' or ');
}

function detailsOf(schema: Schema): string {
  const { description = '', default: value, minimum, maximum, maxLength, ...rest } = resolve(schema);
  const values = rest.enum ?? rest['x-extensible-enum'] ?? [];
  const isNamed = values.every((each) => description.includes(`\`${String(each)}\``));
  return [
    description,
    ...(isNamed ? [] : [`Values: ${values.map((each) => `\`${String(each)}\``).join(', ')}.`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`]),
  ].join(' ');
}

const row = (name: string, schema: Schema, isRequired: boolean): string =>
  `| \`${name}\`<br>${typeOf(schema)}${isRequired ? ', required' : ''} | ${escape(detailsOf(schema))} |`;

const table = (head: string, rows: readonly string[]): string =>
  rows.length === 0 ? '' : [`| ${head} | Meaning |`, '| --- | --- |', ...rows].join('\n');

export const describeParameters = (parameters: readonly Parameter[]): string =>
  table(
    'Parameter',
    parameters.map(({ name, schema, description, required = false }) =>
      row(name, { ...schema, ...(description === undefined ? {} : { description }) }, required),
    ),
  );

/** The object that a schema, a list or a nullable one holds. */
function objectOf(schema: Schema): { object: Schema; suffix: string } | undefined {
  const whole = resolve(schema);
  if (whole.properties !== undefined) return { object: whole, suffix: '' };
  if (whole.items !== undefined) {
    const inner = objectOf(whole.items);
    return inner && { object: inner.object, suffix: `[]${inner.suffix}` };
  }
  return (whole.anyOf ?? whole.oneOf ?? []).map(objectOf).find((each) => each !== undefined);
}

function fieldRows(schema: Schema, prefix: string, showsRequired: boolean): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = prefix.split('.').length > 3 ? undefined : objectOf(field);
    const path = `${prefix}${name}`;
    return [
      row(path, field, showsRequired && required.includes(name)),
      ...(inner === undefined ? [] : fieldRows(inner.object, `${path}${inner.suffix}.`, showsRequired)),
    ];
  });
}

/** The fields of a body. Those of a response are below `data`; the fields of a page are those of one row. */
export function describeBody(schema: Schema): string {
  const { properties = {} } = resolve(schema);
  const isResponse = 'data' in properties;
  const found = objectOf(isResponse ? (properties['data'] ?? {}) : schema);
  return found === undefined ? '' : table('Field', fieldRows(found.object, '', !isResponse));
}
