import { randomUUID } from 'node:crypto';
import { currentMethodVersion, defaultMatchRules } from '@bv/contract';
import type { brandChanged, EventData, jobChanged, promptChanged, unitFinalised } from '@bv/events';

export type Brand = EventData<typeof brandChanged>;
export type Prompt = EventData<typeof promptChanged>;
export type Unit = EventData<typeof unitFinalised>;
export type Job = EventData<typeof jobChanged>;

const at = '2026-11-20T10:00:00Z';

/** The data of a catalog brand event. */
export function brandData(overrides: Partial<Brand> = {}): Brand {
  return {
    id: randomUUID(),
    org_id: randomUUID(),
    name: 'Acme',
    domain: 'acme.com',
    aliases: [],
    match: defaultMatchRules,
    is_own: true,
    external_ref: null,
    geography: 'global',
    sunset_at: null,
    created_at: at,
    updated_at: at,
    competitors: [],
    ...overrides,
  };
}

/** The data of a catalog prompt event. */
export function promptData(brand: { id: string; org_id: string }): Prompt {
  return {
    id: randomUUID(),
    org_id: brand.org_id,
    brand_id: brand.id,
    text: 'Which anvil is best?',
    tags: [],
    countries: ['US'],
    platforms: ['chatgpt'],
    active: true,
    source: 'api',
    created_by_key_id: null,
    created_at: at,
    updated_at: at,
  };
}

type Found = {
  id: string;
  name: string;
  domain: string;
  is_own: boolean;
  position: number | null;
  sentiment?: number | null;
  cited?: boolean;
};

/** The data of a unit event of scans. `found` lists every tracked brand with its position, null if not mentioned. */
export function unitData(
  prompt: { id: string; org_id: string; brand_id: string },
  found: Found[],
  overrides: Partial<Unit> = {},
): Unit {
  return {
    unit_id: randomUUID(),
    job_id: randomUUID(),
    org_id: prompt.org_id,
    brand_id: prompt.brand_id,
    prompt_id: prompt.id,
    platform: 'chatgpt',
    country: 'US',
    run_date: '2026-11-20',
    finalized_at: '2026-11-20T10:00:00.123456Z',
    outcome: 'answered',
    answer_text: 'Acme is good.',
    answer_truncated: false,
    model: 'm-1',
    search_used: true,
    localization: 'native',
    search_queries: ['anvils'],
    brands: found.map((brand) => ({
      brand_id: brand.id,
      name: brand.name,
      domain: brand.domain,
      is_own: brand.is_own,
      mentioned: brand.position !== null,
      mention_count: brand.position === null ? 0 : 1,
      position: brand.position,
      sentiment: brand.position === null ? null : (brand.sentiment ?? 50),
      cited: brand.cited ?? false,
      evidence: [],
      means_brand: null,
    })),
    others: [],
    sources: [],
    sources_unresolved: 0,
    sentiment_method: null,
    mention_method: 'words',
    method_version: currentMethodVersion,
    ...overrides,
  };
}

/** The data of a job event of scans. */
export function jobData(
  brand: { id: string; org_id: string },
  jobId: string,
  overrides: Partial<Job> = {},
): Job {
  return {
    job_id: jobId,
    org_id: brand.org_id,
    brand_id: brand.id,
    status: 'completed',
    trigger: 'manual',
    run_date: '2026-11-20',
    idempotency_key: 'k',
    units: { total: 1, answered: 1, no_answer: 0, failed: 0 },
    platforms: ['chatgpt'],
    countries: ['US'],
    queued_at: at,
    started_at: at,
    completed_at: '2026-11-20T10:05:00Z',
    ...overrides,
  };
}

/** A line of an import: an answer on 19 November that mentions no brand and cites nothing. */
export const importLine = (prompt: Prompt, overrides: Record<string, unknown> = {}) => ({
  unit_id: randomUUID(),
  brand_id: prompt.brand_id,
  prompt_id: prompt.id,
  platform: 'gemini',
  country: 'DE',
  run_date: '2026-11-19',
  outcome: 'answered',
  brands: [],
  sources: [],
  ...overrides,
});
