import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  getReprocess,
  listMentions,
  listPromptResults,
  listScores,
  listShareOfVoice,
  listSources,
  reprocessBrand,
  type ReprocessJob,
} from '@bv/contract';
import { eventually } from '@bv/testkit';
import { checkFigures } from './check-figures.ts';
import { type Brand, brandData, jobData, type Prompt, promptData, type Unit, unitData } from './events.ts';
import type { Line } from './expected-figures.ts';
import {
  addToCatalog,
  importUnits,
  type Results,
  toBrandParams,
  toPromptParams,
  waitUntilScored,
} from './results.ts';

export const defaultRules = { case_sensitive: false, exclude: [], verify: false };

/** An own brand with a competitor and a prompt, with what they are found by. */
export async function addTrackedBrands(
  results: Results,
  {
    own: ownOverrides = {},
    rival: rivalOverrides = {},
  }: { own?: Partial<Brand>; rival?: Partial<Brand> } = {},
) {
  const rival = brandData({ is_own: false, name: 'Rival', domain: 'rival.com', ...rivalOverrides });
  const own = brandData({
    org_id: rival.org_id,
    competitors: [{ id: rival.id, name: rival.name, domain: rival.domain }],
    ...ownOverrides,
  });
  const prompt = promptData(own);
  await addToCatalog(results, { brands: [rival, own], prompts: [prompt] });
  return { own, rival, prompt };
}

export type Tracked = Awaited<ReturnType<typeof addTrackedBrands>>;

/** A unit of scans that found nothing, whatever its text says: as stored before a change of the brands. */
export const unreadUnit = ({ own, rival, prompt }: Tracked, overrides: Partial<Unit> = {}): Unit =>
  unitData(
    prompt,
    [own, rival].map((brand) => ({ ...brand, position: null })),
    overrides,
  );

/** Stores units as one scan for each of their days, and waits until the scans are scored. */
export async function storeUnits(results: Results, { own }: Tracked, units: readonly Unit[]): Promise<void> {
  for (const [run_date, scanned] of Map.groupBy(units, (unit) => unit.run_date)) {
    const job_id = randomUUID();
    for (const unit of scanned) await results.emitUnit({ ...unit, job_id });
    const counts = { total: scanned.length, answered: scanned.length, no_answer: 0, failed: 0 };
    await results.emitJob(jobData(own, job_id, { run_date, units: counts }));
    await waitUntilScored(results, job_id);
  }
}

/** Imports lines, with a catalog that has the brands. */
export async function importLines(
  results: Results,
  { own, rival }: Tracked,
  lines: readonly object[],
): Promise<void> {
  const stopCatalog = await results.serveCatalog([own, rival]);
  const { data } = await importUnits(results, lines);
  expect(data).toMatchObject({ imported: lines.length, rejected: [] });
  await stopCatalog();
}

export async function requestReprocess(
  results: Results,
  brand: Brand,
  body: { from?: string; to?: string } = {},
): Promise<ReprocessJob> {
  const response = await results.call(reprocessBrand, { params: toBrandParams(brand), body });
  return response.data;
}

export const readJob = async (results: Results, { job_id, brand_id }: ReprocessJob, orgId: string) =>
  (await results.call(getReprocess, { params: { orgId, brandId: brand_id, jobId: job_id } })).data;

/** Waits until a job has this status. */
export const waitForStatus = (
  results: Results,
  brand: Brand,
  job: ReprocessJob,
  status: ReprocessJob['status'] = 'completed',
): Promise<ReprocessJob> =>
  eventually(async () => {
    const current = await readJob(results, job, brand.org_id);
    expect(current).toMatchObject({ status });
    return current;
  });

/** Requests a job and waits until it is completed. */
export async function reprocess(
  results: Results,
  brand: Brand,
  body: { from?: string; to?: string } = {},
): Promise<ReprocessJob> {
  return waitForStatus(results, brand, await requestReprocess(results, brand, body));
}

const window = 'from=2026-10-01&to=2026-11-21';

export const readResults = async (results: Results, prompt: Prompt) =>
  (await results.call(listPromptResults, { params: toPromptParams(prompt), query: window })).data;

/** Everything that clients read of a brand, without times of computation. */
export async function readFigures(results: Results, { own, prompt }: Tracked) {
  const params = toBrandParams(own);
  const scores = (await results.call(listScores, { params, query: window })).data;
  return {
    results: await readResults(results, prompt),
    mentions: (await results.call(listMentions, { params, query: window })).data,
    scores: scores.map(({ computed_at: _, ...score }) => score),
    shares: (await results.call(listShareOfVoice, { params, query: window })).data,
    sources: (await results.call(listSources, { params, query: window })).data,
  };
}

/** Stored units as lines of an import. */
async function readLines(results: Results, own: Brand): Promise<Line[]> {
  const rows = await results.query<{ line: Line }>(
    `select jsonb_build_object('unit_id', u.id, 'prompt_id', prompt_id, 'platform', platform, 'country', country,
       'run_date', run_date, 'finalized_at', finalized_at, 'outcome', outcome,
       'brands', (select jsonb_agg(to_jsonb(b)) from unit_brands b
         where b.own_brand_id = u.brand_id and b.unit_id = u.id),
       'sources', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from unit_sources s
         where s.own_brand_id = u.brand_id and s.unit_id = u.id)) as line
     from units u where brand_id = $1`,
    [own.id],
  );
  return rows.map(({ line }) => line);
}

/** Checks that scores, shares and sources of a brand agree with its stored units. */
export async function checkAgreement(
  results: Results,
  own: Brand,
  competitors: readonly Brand[],
): Promise<void> {
  const lines = await readLines(results, own);
  const distinct = (values: string[]): string[] => [...new Set(values)].toSorted();
  await checkFigures(
    results,
    {
      own,
      tracked: [own, ...competitors].map(({ id, domain }) => ({ id, host: domain })),
      activePrompts: 1,
      days: distinct(lines.map(({ run_date }) => run_date)),
      platforms: distinct(lines.map(({ platform }) => platform)),
      countries: distinct(lines.map(({ country }) => country)),
    },
    lines,
  );
}
