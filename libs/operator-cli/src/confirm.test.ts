import { expect, test } from '@jest/globals';
import { operatorDeleteBrandUnits, operatorGetOrg, operatorReprocessBrands } from '@bv/contract';
import { confirm } from './confirm.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose user gives this reply, and the questions that were shown on it. */
function createTerminal(reply: string) {
  const questions: string[] = [];
  const prompt = async (question: string): Promise<string> => {
    questions.push(question);
    return reply;
  };
  return { questions, terminal: { prompt } as unknown as Terminal };
}

const input = (options: Record<string, string> = {}) => ({ argument: undefined, options });
const window = { brand: 'b', from: '2026-01-01', to: '2026-01-02' };

test.each([
  [operatorDeleteBrandUnits.id, input(window)],
  [operatorReprocessBrands.id, input({ all: 'true' })],
])('%s is sent after a yes only', async (id, given) => {
  const { questions, terminal } = createTerminal('y');
  await confirm(id, given, terminal);
  expect(questions).toHaveLength(1);
  await expect(confirm(id, given, createTerminal('').terminal)).rejects.toThrow('Not confirmed');
  await expect(confirm(id, given, createTerminal('no').terminal)).rejects.toThrow('Not confirmed');
});

test.each([
  ['with --yes', operatorReprocessBrands.id, input({ all: 'true', yes: 'true' })],
  ['for one organisation', operatorReprocessBrands.id, input({ org: 'o' })],
  ['for a read', operatorGetOrg.id, input()],
])('nothing is asked %s', async (_name, id, given) => {
  const { questions, terminal } = createTerminal('');
  await confirm(id, given, terminal);
  expect(questions).toEqual([]);
});
