import { operatorOperations, type Operation } from '@bv/contract';
import { parseConstants, parseFields, type Field } from './fields.ts';
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

/** The name of the command as a user types it. */
export const toName = ({ group, verb }: CommandSpec): string => `${group} ${verb}`;

/** If a read without an argument is the only command of its group, it needs no verb: `usage`, `status`. */
export function isWholeGroup({ group, verb, variants }: CommandSpec, specs: readonly CommandSpec[]): boolean {
  const isRead = verb === 'list' || (verb === 'get' && variants.every(({ argument }) => argument === null));
  return isRead && specs.filter((spec) => spec.group === group).length === 1;
}

/** The command pages itself, and its `--limit` counts elements. */
const paging = new Set(['limit', 'cursor']);

function toVariant(operation: Operation): Variant {
  const { options, argument } = nameCommand(operation);
  return {
    operation,
    options,
    argument,
    body: parseFields(operation.body),
    constants: parseConstants(operation.body),
    query: parseFields(operation.query).filter(({ name }) => !paging.has(name)),
  };
}

/** Creates a command for every operation of the operator API. */
export function commandSpecs(operations: readonly Operation[] = operatorOperations): CommandSpec[] {
  const byName = Map.groupBy(operations, (operation) => {
    const { group, verb } = nameCommand(operation);
    return `${group} ${verb}`;
  });
  return [...byName].map(([name, group]) => {
    const [noun = '', verb = ''] = name.split(' ');
    return { group: noun, verb, variants: group.map(toVariant) };
  });
}
