import { isWholeGroup, toName, type CommandSpec } from './commands.ts';
import { needsConfirmation } from './confirm.ts';
import type { Field } from './fields.ts';

type CompletedOption = { name: string; values: string[]; takesValue: boolean };
/** What a shell can complete of a command. */
export type CompletedCommand = {
  group: string;
  /** Null if the group is the command. */
  verb: string | null;
  summary: string;
  options: CompletedOption[];
  takesFile: boolean;
};

const option = (name: string, takesValue: boolean, values: string[] = []): CompletedOption => ({
  name,
  values,
  takesValue,
});

export function describeCommand(spec: CommandSpec, specs: readonly CommandSpec[]): CompletedCommand {
  const { group, verb, variants } = spec;
  const isList = variants.some(({ operation }) => operation.success.kind === 'list');
  const isConfirmed = variants.some(({ operation }) => needsConfirmation(operation.id));
  const options = [
    ...variants.flatMap((variant) => variant.options.map((owner) => option(owner.option, true))),
    ...variants.flatMap(({ body, query }) => [...body, ...query].flatMap(describeField)),
    ...(isConfirmed ? [option('yes', false)] : []),
    ...(isList ? [option('limit', true)] : []),
    option('json', false),
    option('url', true),
    option('token', true),
    option('help', false),
  ];
  return {
    group,
    verb: isWholeGroup(spec, specs) ? null : verb,
    summary: variants[0]?.operation.summary ?? toName(spec),
    options: [...new Map(options.map((each) => [each.name, each])).values()],
    takesFile: variants.some(({ operation }) => operation.bodyKind === 'ndjson'),
  };
}

function describeField({ option: name, kind, values }: Field): CompletedOption[] {
  if (kind === 'value') return [option(name, true, values)];
  return kind === 'flag' ? [option(name, false)] : [option(name, false), option(`no-${name}`, false)];
}
