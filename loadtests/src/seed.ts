import { randomUUID } from 'node:crypto';
import { createClient, type Client } from './client.ts';
import type { Options } from './options.ts';
import type { RunData } from './record.ts';
import type { SeedPlan } from './scenarios.ts';
import type { Target } from './target.ts';

type Item<T> = { data: T };
type Org = RunData['orgs'][number];

const platforms = ['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'];
const countries = ['US', 'DE'];
/** Far above the requests of a run: only the keys of `limiter` are limited. */
const unlimitedPerMinute = 1_000_000;
/** Never reached. A quota makes the gateway lease blocks, as in production. */
const monthlyQuota = 1_000_000_000;
/** Allowances of the keys of `limiter`, small enough to be reached within a minute. */
const phases = {
  above: { keys: 4, perMinute: 120 },
  at: { keys: 2, perMinute: 120 },
  below: { keys: 2, perMinute: 120 },
};
const manyPerMinute = 30;

type SeedOptions = Pick<Options, 'seconds' | 'size' | 'keys'>;

/** Creates organisations, brands, prompts and results of this run through the API. */
export async function seed(target: Target, options: SeedOptions, plan: SeedPlan): Promise<RunData> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const mark = randomUUID().slice(0, 8);
  const partner = await operator.post<Item<{ id: string }>>('/partners', { name: `Load ${mark}` });
  const createKey = async (perMinute: number, phase: string) => {
    const scopes = ['read', 'write'];
    const body = { name: phase, scopes, per_minute: perMinute, monthly_quota: monthlyQuota };
    const { data } = await operator.post<Item<{ key: string }>>(`/partners/${partner.data.id}/keys`, body);
    return { key: data.key, perMinute, phase };
  };
  const first = await createKey(unlimitedPerMinute, 'all');
  const client = createClient(target.baseUrls[0] ?? '', first.key);
  const orgs: Org[] = [];
  for (let index = 0; index < plan.orgs; index += 1) {
    orgs.push(await seedOrg({ operator, client, partnerId: partner.data.id, mark, plan, index }));
  }
  const keys = plan.keys === 'one' ? [first] : [];
  if (plan.keys === 'phases') {
    for (const [phase, { keys: count, perMinute }] of Object.entries(phases)) {
      for (let index = 0; index < count; index += 1) keys.push(await createKey(perMinute, phase));
    }
    while (keys.length < options.keys) keys.push(await createKey(manyPerMinute, 'many'));
  }
  const { seconds, size } = options;
  const unitsOfBrand = plan.prompts * plan.days * platforms.length * countries.length;
  return { baseUrls: target.baseUrls, keys, orgs, unitsOfBrand, seconds, size, mark };
}

type Seeding = {
  operator: Client;
  client: Client;
  partnerId: string;
  mark: string;
  plan: SeedPlan;
  index: number;
};

async function seedOrg({ operator, client, partnerId, mark, plan, index }: Seeding): Promise<Org> {
  const overrides = { prompts: null, own_brands: null, countries: null };
  const name = `Load ${mark} ${index}`;
  const org = await operator.post<Item<{ id: string }>>('/orgs', { name, tier: 'scale', overrides });
  const orgId = org.data.id;
  await operator.put(`/partners/${partnerId}/links/${orgId}`, { scope: 'read_write', external_ref: mark });
  const brands: Org['brands'] = [];
  for (let number = 0; number < plan.brands; number += 1) {
    const brand = await client.post<Item<{ id: string }>>(`/orgs/${orgId}/properties`, {
      name: `Brand ${number}`,
      domain: `brand-${mark}-${index}-${number}.com`,
      markets: countries,
      competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
    });
    const promptIds: string[] = [];
    for (let prompt = 0; prompt < plan.prompts; prompt += 1) {
      const path = `/orgs/${orgId}/brands/${brand.data.id}/prompts`;
      const text = `Which tool is best for task ${prompt}?`;
      const created = await client.post<Item<{ id: string }>>(path, { text, countries });
      promptIds.push(created.data.id);
    }
    if (plan.days > 0) await importResults(operator, { brandId: brand.data.id, promptIds, days: plan.days });
    brands.push({ brandId: brand.data.id, promptIds });
  }
  return { orgId, brands };
}

type BrandResults = { brandId: string; promptIds: string[]; days: number };

async function importResults(operator: Client, { brandId, promptIds, days }: BrandResults): Promise<void> {
  const lines: string[] = [];
  for (let day = 1; day <= days; day += 1) {
    const runDate = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    for (const promptId of promptIds) {
      for (const platform of platforms) {
        for (const country of countries)
          lines.push(unitLine({ brandId, promptId, platform, country, runDate }));
      }
    }
  }
  const response = await operator.post<Item<{ imported: number; rejected: unknown[] }>>(
    '/results/import',
    `${lines.join('\n')}\n`,
  );
  if (response.data.imported !== lines.length) {
    throw new Error(
      `${response.data.imported} of ${lines.length} results were imported: ${JSON.stringify(response.data.rejected[0])}`,
    );
  }
}

type Unit = { brandId: string; promptId: string; platform: string; country: string; runDate: string };

function unitLine({ brandId, promptId, platform, country, runDate }: Unit): string {
  return JSON.stringify({
    brand_id: brandId,
    prompt_id: promptId,
    platform,
    country,
    run_date: runDate,
    outcome: 'answered',
    answer_text: 'Several tools do this well; which is best depends on the team.',
    model: 'm',
    brands: [{ brand_id: brandId, position: 1, sentiment: 70, mention_count: 1 }],
    sources: [{ url: 'https://example.com/best-tools', cited: true }],
  });
}

/** Ids of all prompts of the run's organisations, from the API. */
export async function listPromptIds(data: RunData): Promise<Set<string>> {
  const client = createClient(data.baseUrls[0] ?? '', data.keys[0]?.key ?? '');
  const ids = new Set<string>();
  for (const { orgId } of data.orgs) {
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { data: { id: string }[]; pagination: { next_cursor: string | null } } = await client.get(
        `/orgs/${orgId}/prompts?limit=200${query}`,
      );
      for (const { id } of page.data) ids.add(id);
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
  }
  return ids;
}
