import { operatorOperations, type Operation } from '@bv/contract';
import { constantsOf, fieldsOf, type Field } from './fields.ts';
import { nameCommand } from './naming.ts';

/** One operation behind a command. `keys create` has two: for `--org` and for `--partner`. */
export type Variant = {
  operation: Operation;
  options: { param: string; option: string }[];
  argument: string | null;
  body: Field[];
  constants: Record<string, unknown>;
  query: Field[];
};
export type CommandSpec = { group: string; verb: string; variants: Variant[] };

/** Paging is the command's own: it walks, and `--limit` counts elements. */
const paging = new Set(['limit', 'cursor']);

function variantOf(operation: Operation): Variant {
  const { options, argument } = nameCommand(operation);
  return {
    operation,
    options,
    argument,
    body: fieldsOf(operation.body),
    constants: constantsOf(operation.body),
    query: fieldsOf(operation.query).filter(({ name }) => !paging.has(name)),
  };
}

/** Every operation of the plane as a command; nothing is listed by hand. */
export function commandSpecs(operations: readonly Operation[] = operatorOperations): CommandSpec[] {
  const byName = Map.groupBy(operations, (operation) => {
    const { group, verb } = nameCommand(operation);
    return `${group} ${verb}`;
  });
  return [...byName].map(([name, group]) => {
    const [noun = '', verb = ''] = name.split(' ');
    return { group: noun, verb, variants: group.map(variantOf) };
  });
}
