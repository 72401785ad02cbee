import { exitStatus, Failure } from './failure.ts';
import type { CommandInput } from './run-command.ts';
import type { Terminal } from './terminal.ts';

/** Questions before an operation that deletes data or affects every organisation, by operation id. */
const questions: Partial<Record<string, (input: CommandInput) => string | undefined>> = {
  operatorDeleteBrandUnits: ({ options }) =>
    `Delete all imported units of brand ${options['brand']} from ${options['from']} to ${options['to']}?`,
  operatorReprocessBrands: ({ options }) =>
    options['all'] === undefined ? undefined : 'Reprocess the own brands of all organisations?',
};

export const needsConfirmation = (operationId: string): boolean => questions[operationId] !== undefined;

/** Prompts for a confirmation. Throws if the user declines. Without a terminal it does not prompt. */
export async function confirm(operationId: string, input: CommandInput, terminal: Terminal): Promise<void> {
  const question = questions[operationId]?.(input);
  if (question === undefined || input.options['yes'] !== undefined || terminal.prompt === undefined) return;
  const reply = await terminal.prompt(`${question} [y/N] `);
  if (/^y(es)?$/i.test(reply.trim())) return;
  throw new Failure(exitStatus.usage, 'Not confirmed: nothing was sent', {
    hints: ['--yes confirms on the command line.'],
  });
}
