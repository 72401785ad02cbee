import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { needsConfirmation } from './confirm.ts';
import { commandSpecs, type CommandSpec, type Variant } from './commands.ts';
import { findTarget, type Environment } from './config.ts';
import { exitStatus } from './failure.ts';
import { runCommand, type CommandInput } from './run-command.ts';
import type { Terminal } from './terminal.ts';

type Parts = {
  terminal: Terminal;
  environment: Environment;
  directory: string;
  done: (status: number) => void;
};
type Common = { url?: string; token?: string; json?: boolean; limit?: number };

const statuses = `Exit status: ${exitStatus.done} done, ${exitStatus.refused} refused, ${exitStatus.usage} invalid usage, \
${exitStatus.unreachable} not reachable, ${exitStatus.notApplied} stored but not applied everywhere yet.`;

/** Creates the command line from the contract. */
export function createProgram(parts: Parts): Command {
  const program = new Command('operator')
    .description('The operator API of the Brand Visibility Data API.')
    .addHelpText(
      'after',
      `\n${statuses}\n--url and --token default to OPERATOR_URL and OPERATOR_TOKEN, then to the local stack.`,
    )
    .configureOutput({ writeOut: parts.terminal.print, writeErr: parts.terminal.note })
    .showHelpAfterError('(--help lists the commands and options)')
    .exitOverride();
  const byGroup = Map.groupBy(commandSpecs(), ({ group }) => group);
  for (const [name, specs] of byGroup) {
    const group = program.command(name).description(describeGroup(specs)).copyInheritedSettings(program);
    for (const spec of specs) addCommand(group, spec, { parts, only: specs.length === 1 });
  }
  return program;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const describeGroup = (specs: CommandSpec[]): string => capital(specs.map(({ verb }) => verb).join(', '));

function addCommand(
  group: Command,
  spec: CommandSpec,
  { parts, only }: { parts: Parts; only: boolean },
): void {
  const { verb, variants } = spec;
  const [first] = variants;
  if (first === undefined) return;
  // If a list is the only command of its group, the verb is optional: `usage`.
  const command = group.command(verb, { isDefault: only && verb === 'list' }).copyInheritedSettings(group);
  command.description(variants.map(({ operation }) => sentence(operation)).join('\n'));
  if (first.argument !== null) command.addArgument(new Argument('<id>', `id, as in the lists`));
  if (first.operation.bodyKind === 'ndjson') {
    command.addArgument(
      new Argument('[file]', 'file with one JSON object per line, - for the standard input').default('-'),
    );
  }
  for (const option of createOptions(variants)) command.addOption(option);
  if (needsConfirmation(first.operation.id)) {
    command.option('--yes', 'do not prompt for a confirmation on a terminal');
  }
  if (first.operation.success.kind === 'list') {
    command.addOption(
      new Option('--limit <n>', 'maximum number of elements to show (default: all)').argParser(positive),
    );
  }
  command
    .option('--json', 'JSON for scripts instead of a table')
    .option('--url <url>', 'address of the operator API')
    .option('--token <token>', 'operator token; OPERATOR_TOKEN keeps it out of the list of processes')
    .addHelpText('after', `\n${statuses}`)
    .action(async () => {
      const { url, token, json, limit, ...rest } = command.opts<Common>();
      const input: CommandInput = {
        argument: command.processedArgs[0] as string | undefined,
        options: byOption(command, rest),
      };
      const target = findTarget(
        { ...(url === undefined ? {} : { url }), ...(token === undefined ? {} : { token }) },
        parts.environment,
        parts.directory,
      );
      const run = { target, terminal: parts.terminal, json: json ?? false, limit: limit ?? Infinity };
      parts.done(await runCommand(spec, input, run));
    });
}

const sentence = ({ summary, description }: Variant['operation']): string =>
  `${summary}.${description === undefined ? '' : ` ${description}`}`;

function createOptions(variants: Variant[]): Option[] {
  const owners = variants.flatMap(({ options }) => options.map(({ option }) => option));
  const single = variants.length === 1;
  const ids = [...new Set(owners)].map((owner) =>
    new Option(
      `--${owner} <id>`,
      `id of the ${owner}${single ? '' : '; exactly one owner is required'}`,
    ).makeOptionMandatory(single),
  );
  const fields = new Map(
    variants.flatMap(({ body, query }) => [...body, ...query]).map((field) => [field.option, field]),
  );
  return [
    ...ids,
    ...[...fields.values()].map(({ option, required, hint, isFlag }) =>
      new Option(isFlag ? `--${option}` : `--${option} <value>`, hint).makeOptionMandatory(required),
    ),
  ];
}

/** Values by option name, because commander stores them in camel case. A flag that is set is `true`. */
function byOption(command: Command, values: Record<string, unknown>): Record<string, string | undefined> {
  return Object.fromEntries(
    command.options.map((option) => {
      const value = values[option.attributeName()] as string | true | undefined;
      return [option.name(), value === true ? 'true' : value];
    }),
  );
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return value;
}
