import type { CompletedCommand } from './completed-command.ts';

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
const start = 'complete -c operator';
const isWord = (position: number): string => `test (count (commandline -opc)) -eq ${position}`;

export function fishScript(commands: readonly CompletedCommand[], shells: readonly string[]): string {
  const groups = Map.groupBy(commands, ({ group }) => group);
  const lines = [...groups].flatMap(([group, found]) => {
    const verbs = found.flatMap(({ verb }) => verb ?? []);
    const description = verbs.length === 0 ? (found[0]?.summary ?? '') : verbs.join(', ');
    return [
      `${start} -n '${isWord(1)}' -a ${group} -d ${quote(description)}`,
      ...found.flatMap(describeCommand),
    ];
  });
  return [
    `${start} -f`,
    `${start} -n '${isWord(1)}' -a completion -d 'Print a script for a shell'`,
    `${start} -n '__fish_seen_subcommand_from completion' -a '${shells.join(' ')}'`,
    ...lines,
    '',
  ].join('\n');
}

function describeCommand({ group, verb, summary, options, takesFile }: CompletedCommand): string[] {
  const isGroup = `__fish_seen_subcommand_from ${group}`;
  const isCommand = verb === null ? isGroup : `${isGroup}; and __fish_seen_subcommand_from ${verb}`;
  return [
    ...(verb === null ? [] : [`${start} -n '${isWord(2)}; and ${isGroup}' -a ${verb} -d ${quote(summary)}`]),
    ...options.map(({ name, values, takesValue }) => {
      const value = takesValue ? ' -x' : '';
      const words = values.length === 0 ? '' : ` -a ${quote(values.join(' '))}`;
      return `${start} -n '${isCommand}' -l ${name}${value}${words}`;
    }),
    ...(takesFile ? [`${start} -n '${isCommand}' -F`] : []),
  ];
}
