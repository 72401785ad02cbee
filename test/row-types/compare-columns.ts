import type { Field } from './describe-statement.ts';
import type { Column, Kind } from './find-statements.ts';

/** What the type parsers of `@bv/postgres` make of a column, by the id of its type in pg_type. */
const kinds: Readonly<Record<number, Kind | 'json'>> = {
  16: 'boolean',
  17: 'bytes',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  114: 'json',
  701: 'number',
  1007: 'number[]',
  1009: 'string[]',
  1016: 'number[]',
  1082: 'string',
  1184: 'string',
  1700: 'number',
  2950: 'string',
  2951: 'string[]',
  3802: 'json',
};

/** An outer join makes a column nullable that its table does not allow to be null. */
const outerJoin = /\b(?:left|right|full)\s+join\b/i;

/** How the row type differs from what the statement returns. Empty if it fits. */
export function compareColumns(text: string, columns: readonly Column[], fields: readonly Field[]): string[] {
  const isTuple = columns.some(({ name }) => name === null);
  if (isTuple && columns.length !== fields.length) {
    return [`${fields.length} columns for a tuple of ${columns.length}`];
  }
  const extra = isTuple ? [] : fields.filter(({ name }) => !columns.some((column) => column.name === name));
  const repeated = isTuple
    ? []
    : fields.filter(({ name }, index) => fields.findIndex((field) => field.name === name) < index);
  return [
    ...columns.flatMap((column, index) => {
      const field = isTuple ? fields[index] : fields.find(({ name }) => name === column.name);
      return field === undefined
        ? [`${column.name} is not returned`]
        : compareColumn(column, field, outerJoin.test(text));
    }),
    ...extra.map(({ name }) => `${name} is returned, but not in the row type`),
    ...repeated.map(({ name }) => `${name} is returned twice`),
  ];
}

function compareColumn(column: Column, field: Field, hasOuterJoin: boolean): string[] {
  if (column.kind === 'any') return [];
  const kind = kinds[field.typeId] ?? `type ${field.typeId}`;
  const fits =
    kind === 'json' ? !['string', 'number', 'boolean'].includes(column.kind) : kind === column.kind;
  const differences = fits ? [] : [`${field.name} is ${kind}, not ${column.kind}`];
  if (field.nullable === true && !column.nullable) differences.push(`${field.name} can be null`);
  if (field.nullable === false && column.nullable && !hasOuterJoin)
    differences.push(`${field.name} is never null`);
  return differences;
}
