import type { CommandSpec } from './commands.ts';
import { describeCommand, type CompletedCommand } from './completed-command.ts';
import { fishScript } from './fish-completion.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** A script that completes groups, verbs, options and fixed values of the command `operator`. */
export function createCompletion(shell: (typeof shells)[number], specs: readonly CommandSpec[]): string {
  const commands = specs.map((spec) => describeCommand(spec, specs));
  if (shell === 'fish') return fishScript(commands, shells);
  const script = bashScript(commands);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/** The words depend on the group, the verb and, for a value, the word before. */
function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = Map.groupBy(commands, ({ group }) => group);
  const toKey = ({ group, verb }: CompletedCommand): string => (verb === null ? group : `${group} ${verb}`);
  const verbs = [...groups].flatMap(([group, found]) => {
    const words = found.flatMap(({ verb }) => verb ?? []);
    return words.length === 0 ? [] : [`      ${group}) words="${words.join(' ')}" ;;`];
  });
  const whole = [...groups.keys()].filter((group) => groups.get(group)?.[0]?.verb === null);
  const values = commands.flatMap((command) =>
    command.options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, values: accepted }) =>
          `      "${toKey(command)} --${name}") words="${accepted.join(' ')}" ;;`,
      ),
  );
  const options = commands.map((command) => {
    const files = command.takesFile ? ' $(compgen -f -- "$current")' : '';
    return `      "${toKey(command)}") words="${command.options.map(({ name }) => `--${name}`).join(' ')}${files}" ;;`;
  });
  return `_operator() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  local command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" verbs=1
  case "\${COMP_WORDS[1]}" in
    ${whole.join('|')}) command="\${COMP_WORDS[1]}"; verbs=0 ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...groups.keys(), 'completion'].join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ] && [ "$verbs" -eq 1 ]; then
    case "\${COMP_WORDS[1]}" in
${verbs.join('\n')}
      completion) words="${shells.join(' ')}" ;;
    esac
  else
    case "$command" in
${options.join('\n')}
    esac
    case "$command $previous" in
${values.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _operator operator
`;
}
