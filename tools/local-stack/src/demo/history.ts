import {
  getBrand,
  listPrompts,
  listScores,
  operatorImportResults,
  type BrandDetail,
  type ImportedUnit,
  type Prompt,
  type Score,
} from '@bv/contract';
import { extract, type TrackedBrand } from '@bv/extraction';
import { composeAnswer } from '@bv/platform-simulator';
import { StackFailure } from '../failure.ts';
import type { Reporter } from '../reporter.ts';
import type { ApiClient } from './api-client.ts';
import { addDays, getToday } from './day.ts';

/** Each of the last 28 windows of seven days is complete. */
const historyDays = 34;
const daysPerImport = 7;

type HistoryOptions = {
  customer: ApiClient;
  operator: ApiClient;
  orgId: string;
  brandId: string;
  report: Reporter;
};

/**
 * Imports what the simulated platforms answer on each earlier day without scores, as an export of another tool would be
 * imported.
 */
export async function importHistory(options: HistoryOptions): Promise<void> {
  const { customer, operator, orgId, brandId, report } = options;
  const today = getToday();
  const from = addDays(today, -historyDays);
  const params = { orgId, brandId };
  const scores = await customer.list(listScores, { params, query: { from, to: today } });
  const measured = new Set(scores.map(({ run_date: day }) => day));
  const days = Array.from({ length: historyDays }, (_, index) => addDays(from, index)).filter(
    (day) => !measured.has(day),
  );
  if (days.length === 0) return;
  const brand = await customer.item(getBrand, { params });
  const prompts = await customer.list(listPrompts, {
    params: { orgId },
    query: { brand_id: brandId, active: 'true' },
  });
  const models = toModels(scores[0]);
  let answers = 0;
  for (let start = 0; start < days.length; start += daysPerImport) {
    const lines = days
      .slice(start, start + daysPerImport)
      .flatMap((day) => prompts.flatMap((prompt) => answerPrompt(prompt, { brand, day, models })));
    const { imported, rejected } = await operator.item(operatorImportResults, { lines });
    if (rejected.length > 0) throw new StackFailure(`the import rejected ${JSON.stringify(rejected[0])}`);
    answers += imported;
  }
  report(`demo: ${answers} simulated answers of ${days.length} earlier days imported`);
}

type Models = ReadonlyMap<string, string | null>;

/** The model of each platform, as today's scan reports it. Another one would make windows incomparable. */
const toModels = (score: Score | undefined): Models =>
  new Map(score?.models.map(({ platform, model }) => [platform, model]));

/** The answers to a prompt on a day, read as the scans service reads them. */
function answerPrompt(
  { id, text: prompt, platforms, countries }: Prompt,
  { brand, day, models }: { brand: BrandDetail; day: string; models: Models },
): ImportedUnit[] {
  return countries.flatMap((country) =>
    platforms.map((platform) => {
      const { lines } = composeAnswer({ platform, prompt, country, day }, { brands: [], trouble: null });
      const answerText = lines.map(({ text }) => text).join('');
      const found = extract({ answerText, sources: [], brands: toTrackedBrands(brand) });
      return {
        brand_id: brand.id,
        prompt_id: id,
        platform,
        country,
        run_date: day,
        outcome: 'answered' as const,
        answer_text: answerText,
        model: models.get(platform) ?? null,
        brands: found.map(({ brandId, position, sentiment, mentionCount }) => ({
          brand_id: brandId,
          position,
          sentiment,
          mention_count: mentionCount,
        })),
        sources: lines.flatMap(({ pages }) => pages.map((page) => ({ ...page, cited: true }))),
      };
    }),
  );
}

const toTrackedBrands = (brand: BrandDetail): TrackedBrand[] =>
  [{ ...brand, isOwn: true }, ...brand.competitors.map((rival) => ({ ...rival, isOwn: false }))].map(
    ({ id, name, domain, aliases, isOwn }) => ({ id, name, domain, aliases, isOwn }),
  );
