import { CommanderError } from 'commander';
import type { Environment } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import { createProgram, withoutOptionalVerb } from './program.ts';
import type { Terminal } from './terminal.ts';

type RunOptions = { terminal: Terminal; environment: Environment; directory: string };

/** Runs one command line. Returns its exit status, and reports failures without a stack trace. */
export async function run(words: readonly string[], setting: RunOptions): Promise<number> {
  let status: number = exitStatus.done;
  const program = createProgram({ ...setting, done: (reached) => (status = reached) });
  try {
    await program.parseAsync(withoutOptionalVerb(words), { from: 'user' });
    return status;
  } catch (error) {
    const json = words.includes('--json');
    if (error instanceof CommanderError) return reportUsage(error, setting.terminal, json);
    if (error instanceof Failure) return report(error, setting.terminal, json);
    throw error;
  }
}

/** Commander has already printed the error for people. */
function reportUsage({ exitCode, message }: CommanderError, terminal: Terminal, json: boolean): number {
  if (exitCode === 0) return exitStatus.done;
  if (json) terminal.print(asError(exitStatus.usage, message));
  return exitStatus.usage;
}

function report({ status, message, hints, response }: Failure, terminal: Terminal, json: boolean): number {
  if (json) terminal.print(response === undefined ? asError(status, message) : asJson(response));
  terminal.note(`${message}\n${hints.map((line) => `  ${line}\n`).join('')}`);
  return status;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A failure without a response of the operator API, in the shape of a refusal, for scripts. */
function asError(status: number, message: string): string {
  return asJson({ error: { code: errorCodes[status] ?? 'usage', message } });
}

const errorCodes: Record<number, string> = {
  [exitStatus.unreachable]: 'unreachable',
  [exitStatus.otherServer]: 'not_operator_api',
};
