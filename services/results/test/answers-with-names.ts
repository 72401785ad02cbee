import { expect } from '@jest/globals';
import { getCoverage } from '@bv/contract';
import { toQuery } from './check-windows.ts';
import { brandData, importLine, type Prompt, promptData } from './events.ts';
import { addToCatalog, importUnits, type Results, toBrandParams } from './results.ts';

/** An own brand with prompts, which are in the order of their ids. */
export async function addOwn(results: Results, prompts: number) {
  const own = brandData();
  const added = Array.from({ length: prompts }, () => promptData(own)).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  await addToCatalog(results, { brands: [own], prompts: added });
  return { own, prompts: added as [Prompt, ...Prompt[]] };
}

export type Own = Awaited<ReturnType<typeof addOwn>>;

const toText = (names: readonly string[]): string =>
  `Good choices:\n\n${names.map((name) => `- **${name}**: a fine anvil`).join('\n')}\n`;

/** Imports answers that present names in a list. */
export async function importAnswers(
  results: Results,
  { own }: Own,
  answers: readonly { prompt: Prompt; names: readonly string[]; [field: string]: unknown }[],
): Promise<void> {
  const stopCatalog = await results.serveCatalog([own]);
  const lines = answers.map(({ prompt, names, ...line }) =>
    importLine(prompt, {
      answer_text: toText(names),
      brands: names.includes(own.name) ? [{ brand_id: own.id, position: 1, sentiment: null }] : [],
      ...line,
    }),
  );
  expect((await importUnits(results, lines)).data).toMatchObject({ imported: lines.length, rejected: [] });
  await stopCatalog();
}

export const readCoverage = async (results: Results, { own }: Own, query: Record<string, string>) =>
  (await results.call(getCoverage, { params: toBrandParams(own), query: toQuery(query) })).data;
