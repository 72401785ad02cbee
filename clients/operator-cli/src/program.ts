import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorOperations, revision } from '@bv/contract';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { createCompletion, shells } from './completion.ts';
import { needsConfirmation } from './confirm.ts';
import { commandSpecs, isWholeGroup, type CommandSpec, type Variant } from './commands.ts';
import { findTarget, type Environment } from './config.ts';
import { createExamples } from './examples.ts';
import { describeExitStatuses } from './failure.ts';
import type { Field } from './fields.ts';
import { toCommandNames } from './naming.ts';
import type { CommandInput } from './command-input.ts';
import { runCommand } from './run-command.ts';
import type { Terminal } from './terminal.ts';

type Parts = {
  terminal: Terminal;
  environment: Environment;
  directory: string;
  done: (status: number) => void;
};
type Common = { url?: string; token?: string; json?: boolean; limit?: number };

const statuses = `Exit status:\n${describeExitStatuses()}`;

function describeVersion(): string {
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  const { version } = JSON.parse(file) as { version: string };
  return `${version} (API revision ${revision})`;
}

/** Creates the command line from the contract. */
export function createProgram(parts: Parts): Command {
  const program = new Command('operator')
    .description('The operator API of the Brand Visibility Data API.')
    .version(describeVersion(), '--version', 'print the version')
    .addHelpText(
      'after',
      `\n${statuses}\n\n--url and --token default to OPERATOR_URL and OPERATOR_TOKEN, then to the local stack.\n\`operator judge check\` and \`operator platforms check\` run in the service scans: docs/operations/platform-costs.md, docs/operations/monitoring.md.`,
    )
    .configureOutput({ writeOut: parts.terminal.print, writeErr: parts.terminal.note })
    .showHelpAfterError('(--help lists the commands and options)')
    .exitOverride();
  const specs = commandSpecs();
  for (const [name, ofGroup] of Map.groupBy(specs, ({ group }) => group)) {
    const group = program.command(name).copyInheritedSettings(program);
    const [first] = ofGroup;
    if (first !== undefined && isWholeGroup(first, specs)) {
      defineCommand(group, first, parts);
      continue;
    }
    group.description(describeGroup(ofGroup));
    for (const spec of ofGroup) {
      defineCommand(group.command(spec.verb).copyInheritedSettings(group), spec, parts);
    }
  }
  program
    .command('completion')
    .description('Print a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(operator completion bash)\n  operator completion fish | source',
    )
    .action((shell: (typeof shells)[number]) => parts.terminal.print(createCompletion(shell, specs)));
  return program;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const describeGroup = (specs: CommandSpec[]): string => capital(specs.map(({ verb }) => verb).join(', '));

/** Removes the verb where the group has no other command, so that `usage list` is `usage`. */
export function withoutOptionalVerb(words: readonly string[]): readonly string[] {
  const specs = commandSpecs();
  const isOptional = specs.some(
    (spec) => spec.group === words[0] && spec.verb === words[1] && isWholeGroup(spec, specs),
  );
  return isOptional ? words.toSpliced(1, 1) : words;
}

function defineCommand(command: Command, spec: CommandSpec, parts: Parts): void {
  const { variants } = spec;
  const [first] = variants;
  if (first === undefined) return;
  command.description(variants.map(({ operation }) => sentence(operation)).join('\n'));
  if (first.argument !== null) command.addArgument(new Argument('<id>', `id, as in the lists`));
  if (first.operation.bodyKind === 'ndjson') {
    command.addArgument(
      new Argument('[file]', 'file with one JSON object per line, - for the standard input').default('-'),
    );
  }
  for (const option of createOptions(variants)) command.addOption(option);
  if (needsConfirmation(first.operation.id)) {
    command.option('--yes', 'do not ask for a confirmation; required without a terminal');
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
    .addHelpText('after', `\nExamples:\n  ${createExamples(spec).join('\n  ')}\n\n${statuses}`)
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
  toCommandNames(`${summary}.${description === undefined ? '' : ` ${description}`}`, operatorOperations);

function createOptions(variants: Variant[]): Option[] {
  const owners = variants.flatMap(({ options }) => options.map(({ option }) => option));
  const single = variants.length === 1;
  const ids = [...new Set(owners)].map((owner) =>
    new Option(
      `--${owner} <id>`,
      `id of the ${owner} ${single ? '(required)' : '(exactly one owner is required)'}`,
    ).makeOptionMandatory(single),
  );
  const fields = new Map(
    variants.flatMap(({ body, query }) => [...body, ...query]).map((field) => [field.option, field]),
  );
  return [...ids, ...[...fields.values()].flatMap(createFieldOptions)];
}

function createFieldOptions({ option, required, hint, kind }: Field): Option[] {
  const text = [toCommandNames(hint, operatorOperations), required ? '(required)' : '']
    .filter((part) => part !== '')
    .join(' ');
  if (kind === 'value') return [new Option(`--${option} <value>`, text).makeOptionMandatory(required)];
  const flag = new Option(`--${option}`, text);
  return kind === 'flag' ? [flag] : [flag, new Option(`--no-${option}`, `false for --${option}`)];
}

/** Values by option name, because commander stores them in camel case. A flag that is set is `true`. */
function byOption(command: Command, values: Record<string, unknown>): Record<string, string | undefined> {
  const options = command.options.filter(({ negate }) => !negate);
  return Object.fromEntries(
    options.map((option) => {
      const value = values[option.attributeName()] as string | boolean | undefined;
      return [option.name(), value === undefined ? undefined : String(value)];
    }),
  );
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return value;
}
