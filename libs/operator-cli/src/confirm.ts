import { exitStatus, Failure } from './failure.ts';
import type { Given } from './run-command.ts';
import type { Terminal } from './terminal.ts';

/** Questions on a terminal before an operation that removes data, by operation id. */
const questions: Partial<Record<string, (given: Given) => string>> = {
  operatorDeleteBrandUnits: ({ options }) =>
    `Delete all imported units of brand ${options['brand']} from ${options['from']} to ${options['to']}?`,
};

export const needsConfirmation = (operationId: string): boolean => questions[operationId] !== undefined;

/** Returns once a person has agreed. Without a terminal, the command line alone counts. */
export async function confirm(operationId: string, given: Given, terminal: Terminal): Promise<void> {
  const question = questions[operationId];
  if (question === undefined || given.options['yes'] !== undefined || terminal.ask === undefined) return;
  const reply = await terminal.ask(`${question(given)} [y/N] `);
  if (/^y(es)?$/i.test(reply.trim())) return;
  throw new Failure(exitStatus.usage, 'Not confirmed: nothing was sent', {
    advice: ['--yes confirms on the command line.'],
  });
}
