import { operatorBodyExamples } from '@bv/contract';
import { toName, type CommandSpec, type Variant } from './commands.ts';
import { parseFields, writeValue } from './fields.ts';

/** How a checkout runs the command. */
const program = 'pnpm operator';

/** Example command lines of a command, from the examples of the contract. */
export function createExamples(spec: CommandSpec): string[] {
  const lines = spec.variants.flatMap((variant) => {
    const start = [program, toName(spec), ...writeIds(variant)];
    const body = writeBody(variant);
    const filters = variant.query.flatMap(({ option, kind, example, required }) => {
      const value = kind === 'value' ? quote(example ?? '<value>') : undefined;
      return [{ required, words: [`--${option}`, ...(value === undefined ? [] : [value])] }];
    });
    const required = filters.filter((filter) => filter.required).flatMap(({ words }) => words);
    const shortest = [...start, ...body, ...required].join(' ');
    const others = filters.filter((filter) => !filter.required);
    return [shortest, ...others.map(({ words }) => `${shortest} ${words.join(' ')}`)];
  });
  return lines.map((line) => (line.includes('results import') ? `${line} units.ndjson` : line));
}

function writeIds({ operation, options, argument }: Variant): string[] {
  const examples = new Map(parseFields(operation.params).map(({ name, example }) => [name, example]));
  return [
    ...(argument === null ? [] : [examples.get(argument) ?? '<id>']),
    ...options.flatMap(({ param, option }) => [`--${option}`, examples.get(param) ?? '<id>']),
  ];
}

function writeBody({ operation, body }: Variant): string[] {
  if (operation.bodyKind === 'ndjson') return [];
  const example = operatorBodyExamples[operation.id] as Record<string, unknown> | undefined;
  return body.flatMap(({ name, option, kind }) => {
    const value = example?.[name];
    if (value === undefined) return [];
    return kind === 'value' ? [`--${option}`, quote(writeValue(value))] : [`--${option}`];
  });
}

const quote = (text: string): string => (/^[\w.:,=/@-]+$/.test(text) ? text : `"${text}"`);
