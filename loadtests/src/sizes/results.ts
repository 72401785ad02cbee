import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createClient } from '../client.ts';
import { seed } from '../seed.ts';
import type { StorageTarget } from '../target.ts';
import { answerText } from './answer-text.ts';
import { measureStorage, type StorageSize } from './measure-storage.ts';

const unitsAtOnce = 2_000;
/** Number in each of the two loads. */
const unitsLoaded = 12_000;
const platforms = ['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'];

/** Five sources of a unit, of 900 sites and 20,000 pages. */
export const createSources = (number: number): { url: string; cited: boolean }[] =>
  Array.from({ length: 5 }, (_, index) => ({
    url: `https://site-${(number * 7 + index) % 900}.example.com/articles/${(number * 13 + index) % 20_000}`,
    cited: index < 3,
  }));

function unitLine(brandId: string, competitorId: string, promptId: string, number: number): string {
  const day = Math.floor(number / (platforms.length * 50)) % 360;
  return JSON.stringify({
    unit_id: randomUUID(),
    brand_id: brandId,
    prompt_id: promptId,
    platform: platforms[number % platforms.length],
    country: number % 2 === 0 ? 'US' : 'DE',
    run_date: new Date(Date.now() - (day + 1) * 86_400_000).toISOString().slice(0, 10),
    outcome: 'answered',
    answer_text: answerText(),
    model: 'gpt-5',
    brands: [
      { brand_id: brandId, position: 1, sentiment: 70, mention_count: 2 },
      { brand_id: competitorId, position: 2, sentiment: 55, mention_count: 1 },
    ],
    sources: createSources(number),
  });
}

/** A unit in results, by importing results of one brand. */
export async function measureUnits(target: StorageTarget, sql: Pool): Promise<StorageSize[]> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const data = await seed(
    target,
    { seconds: 1, size: 1, keys: 1 },
    {
      orgs: 1,
      brands: 1,
      prompts: 50,
      days: 0,
      keys: 'one',
    },
  );
  const [org] = data.orgs;
  const [brand] = org?.brands ?? [];
  const client = createClient(target.baseUrls[0] ?? '', data.keys[0]?.key ?? '');
  const detail = await client.get<{ data: { competitors: { id: string }[] } }>(
    `/orgs/${org?.orgId}/brands/${brand?.brandId}`,
  );
  const competitorId = detail.data.competitors[0]?.id ?? '';
  const probe = {
    what: 'a unit in results: an answer of 1,300 characters, two brands, five sources',
    counted: 'results.units',
    count: unitsLoaded,
    tables: /^results\.(units|unit_|answered_days|cell_days|scores|window_scores|share_of_voice|source_)/,
    keptFor: 'for ever',
  };
  return measureStorage(sql, [probe], async (round) => {
    const end = (round + 1) * unitsLoaded;
    for (let number = round * unitsLoaded; number < end; number += unitsAtOnce) {
      const lines = Array.from({ length: unitsAtOnce }, (_, index) => {
        const promptId = brand?.promptIds[Math.floor((number + index) / platforms.length) % 50] ?? '';
        return unitLine(brand?.brandId ?? '', competitorId, promptId, number + index);
      });
      await operator.post('/results/import', `${lines.join('\n')}\n`);
    }
  });
}
