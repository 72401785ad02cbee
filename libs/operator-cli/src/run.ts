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
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    if (error instanceof Failure) return report(error, setting.terminal, words.includes('--json'));
    throw error;
  }
}

function report({ status, message, advice, answer }: Failure, terminal: Terminal, json: boolean): number {
  if (json && answer !== undefined) terminal.say(`${JSON.stringify(answer, null, 2)}\n`);
  terminal.note(`${message}\n${advice.map((line) => `  ${line}\n`).join('')}`);
  return status;
}
