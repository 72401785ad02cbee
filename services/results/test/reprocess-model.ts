import { randomUUID } from 'node:crypto';
import { defaultMatchRules, operatorDeleteBrandUnits, reprocessBrand } from '@bv/contract';
import { applyJudgements, extract, type Judgement, type TrackedBrand } from '@bv/extraction';
import {
  type Brand,
  brandData,
  importLine,
  jobData,
  type Prompt,
  promptData,
  type Unit,
  unitData,
} from './events.ts';
import { type Answer, type Change, identities } from './reprocess-changes.ts';
import { importUnits, type Results, toBrandParams } from './results.ts';

/** An own brand, its competitors and two prompts, as the catalog and scans see them. */
export type Model = {
  results: Results;
  /** The own brand and all competitors, which the catalog serves too. */
  brands: Brand[];
  own: Brand;
  /** Indexes of the competitors that are linked now. */
  linked: Set<number>;
  prompts: Prompt[];
  /** Versions of the brands in the catalog. */
  versions: Map<string, number>;
  emitted: { id: string }[];
  units: number;
};

/** Publishes a new brand with two competitors. Adds its brands to those of the catalog. */
export async function createModel(
  results: Results,
  catalog: Brand[],
  versions: Map<string, number>,
): Promise<Model> {
  const org_id = randomUUID();
  const brands = identities.map(({ names, domain }, index) =>
    brandData({ org_id, is_own: index === 0, name: names[0] ?? '', domain }),
  );
  const own = brands[0] as Brand;
  const prompts = [promptData(own), promptData(own)];
  const model = {
    results,
    brands,
    own,
    linked: new Set([1, 2]),
    prompts,
    versions,
    emitted: [] as { id: string }[],
    units: 0,
  };
  catalog.push(...brands);
  for (const brand of brands) await publish(model, brand);
  for (const prompt of prompts) model.emitted.push(await results.emitPrompt(prompt));
  return model;
}

/** Publishes a brand's state with its next version. */
async function publish({ results, brands, linked, versions, emitted }: Model, brand: Brand): Promise<void> {
  if (brand.is_own) {
    brand.competitors = [...linked].map((index) => {
      const { id, name, domain } = brands[index] as Brand;
      return { id, name, domain, aliases: [] };
    });
  }
  const version = (versions.get(brand.id) ?? 0) + 1;
  versions.set(brand.id, version);
  emitted.push(await results.emitBrand({ ...brand }, version));
}

/** The brands that a scan searches for now. */
export const listTracked = ({ brands, linked }: Model): TrackedBrand[] =>
  [0, ...linked].map((index) => {
    const { id, name, domain, aliases, match, is_own } = brands[index] as Brand;
    const { case_sensitive: caseSensitive, exclude, verify } = match ?? defaultMatchRules;
    return { id, name, domain, aliases, isOwn: is_own, match: { caseSensitive, exclude, verify } };
  });

/** The LLM judge: the same judgement of a text and brand every time. */
const judge = (text: string, { name }: TrackedBrand): Judgement => ({
  sentiment: 77,
  meansBrand: (text.length + name.length) % 2 === 0,
});

/** What a scan finds in an answer. */
function findBrands(tracked: readonly TrackedBrand[], { isAnswered, isJudged, cited, sentences }: Answer) {
  const answerText = isAnswered ? sentences.join(' ') : '';
  const sources = cited.map((domain) => ({ domain, cited: true }));
  const judgements = new Map(tracked.map((brand, index) => [index, judge(answerText, brand)]));
  const found = extract({ answerText, sources, brands: tracked });
  const { brands, mentionMethod, sentimentMethod } = applyJudgements(
    found,
    tracked,
    isAnswered && isJudged ? judgements : null,
  );
  return {
    mention_method: mentionMethod,
    sentiment_method: sentimentMethod,
    brands: brands.map(({ brandId, mentionCount, meansBrand, ...result }, index) => ({
      ...result,
      brand_id: brandId,
      name: tracked[index]?.name ?? '',
      domain: tracked[index]?.domain ?? '',
      is_own: index === 0,
      mention_count: mentionCount,
      means_brand: meansBrand,
    })),
  };
}

const toUrl = (domain: string, index: number): string => `https://www.${domain}/page-${index}`;

/** What units of scans and imports have in common. Each has another time, so that one of a cell is the latest. */
function toAnswerFields(
  model: Model,
  { isAnswered, isTruncated, sentences, ...answer }: Answer,
  day: string,
) {
  model.units += 1;
  const stored = isTruncated ? sentences.slice(0, -1) : sentences;
  return {
    platform: answer.platform,
    country: answer.country,
    run_date: day,
    finalized_at: `${day}T10:00:00.${String(model.units).padStart(6, '0')}Z`,
    outcome: isAnswered ? ('answered' as const) : ('no_answer' as const),
    answer_text: isAnswered ? stored.join(' ') : null,
  };
}

async function scan(model: Model, day: string, answers: readonly Answer[]): Promise<void> {
  const { results, own, prompts, emitted } = model;
  const job_id = randomUUID();
  const units = answers.map((answer): Unit => ({
    ...unitData(prompts[answer.prompt] as Prompt, []),
    ...toAnswerFields(model, answer, day),
    ...findBrands(listTracked(model), answer),
    job_id,
    answer_truncated: answer.isAnswered && answer.isTruncated,
    sources: answer.cited.map((domain, index) => ({
      position: index + 1,
      url: toUrl(domain, index),
      domain,
      title: null,
      cited: true,
    })),
  }));
  const total = units.length;
  const answered = units.filter(({ outcome }) => outcome === 'answered').length;
  const counts = { total, answered, no_answer: total - answered, failed: 0 };
  const job = jobData(own, job_id, { run_date: day, units: counts });
  const events = [...units.map((unit) => results.emitUnit(unit)), results.emitJob(job)];
  emitted.push(...(await Promise.all(events)));
}

/** Imports answers in which the operator found the first two brands. Lines with a brand that was unlinked are rejected. */
async function importAnswers(model: Model, answers: readonly Answer[]): Promise<void> {
  const brands = listTracked(model).map(({ id }, index) => ({ brand_id: id, index }));
  const lines = answers.map((answer) =>
    importLine(model.prompts[answer.prompt] as Prompt, {
      ...toAnswerFields(model, answer, answer.day),
      brands: brands.map(({ brand_id, index }) => {
        const isFound = answer.isAnswered && index < 2;
        return { brand_id, position: isFound ? index + 1 : null, sentiment: isFound ? 60 : null };
      }),
      sources: answer.cited.map((domain, index) => ({ url: toUrl(domain, index) })),
    }),
  );
  await importUnits(model.results, lines);
}

const toWindow = ({ from, to }: { from: string; to: string }) =>
  from <= to ? { from, to } : { from: to, to: from };

/** Applies a change. Its events may not be handled when it resolves. */
export async function applyChange(model: Model, change: Change): Promise<void> {
  const { results, brands, own, linked } = model;
  switch (change.kind) {
    case 'identity': {
      const { names, aliases, exclude } = identities[change.brand] as (typeof identities)[number];
      const { case_sensitive, verify, excludes } = change;
      const brand = brands[change.brand] as Brand;
      brand.name = names[change.name] ?? '';
      brand.aliases = change.aliases.flatMap((index) => aliases[index] ?? []);
      brand.match = { case_sensitive, verify, exclude: excludes ? exclude : [] };
      return publish(model, brand);
    }
    case 'link':
      if (!linked.delete(change.brand)) linked.add(change.brand);
      return publish(model, own);
    case 'scan':
      return scan(model, change.day, change.answers);
    case 'import':
      return importAnswers(model, change.answers);
    case 'delete': {
      const body = { ...toWindow(change), import_only: true };
      await results.call(operatorDeleteBrandUnits, { params: { brandId: own.id }, body });
      return undefined;
    }
    case 'reprocess':
      // Refused while the brand has an open job.
      await results.call(reprocessBrand, { params: toBrandParams(own), body: toWindow(change) });
      return undefined;
  }
}
