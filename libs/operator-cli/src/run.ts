import { CommanderError } from 'commander';
import type { Environment } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

type Setting = { terminal: Terminal; environment: Environment; directory: string };

/** Runs one command line and answers with its exit status; nothing it meets ends in a stack trace. */
export async function run(words: readonly string[], setting: Setting): Promise<number> {
  let status: number = exitStatus.done;
  const program = createProgram({ ...setting, done: (reached) => (status = reached) });
  try {
    await program.parseAsync(words, { from: 'user' });
    return status;
  } catch (error) {
    const json = words.includes('--json');
    if (error instanceof CommanderError) return reportUsage(error, setting.terminal, json);
    if (error instanceof Failure) return report(error, setting.terminal, json);
    throw error;
  }
}

/** Commander has told people already. */
function reportUsage({ exitCode, message }: CommanderError, terminal: Terminal, json: boolean): number {
  if (exitCode === 0) return exitStatus.done;
  if (json) terminal.say(asError(exitStatus.usage, message));
  return exitStatus.usage;
}

function report({ status, message, advice, answer }: Failure, terminal: Terminal, json: boolean): number {
  if (json) terminal.say(answer === undefined ? asError(status, message) : asJson(answer));
  terminal.note(`${message}\n${advice.map((line) => `  ${line}\n`).join('')}`);
  return status;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What never came to an answer of the plane, in the shape of one, for scripts. */
function asError(status: number, message: string): string {
  return asJson({ error: { code: status === exitStatus.unreachable ? 'unreachable' : 'usage', message } });
}
