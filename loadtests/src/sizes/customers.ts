import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createClient, type Client } from '../client.ts';
import type { Measured } from '../target.ts';
import { inboxKept, inParallel, outboxKept, partOf, weigh, type Weighed } from './scales.ts';

type Item = { data: { id: string } };
export type Brand = { orgId: string; brandId: string; client: Client };
/** An organisation and a client with a key of its own. */
type Org = { orgId: string; client: Client };

const atOnce = 8;
/** Of each of the two loads. */
const orgs = 800;
/** As in the sizing guide; only some organisations get brands, only some brands prompts. */
const orgsWithBrands = 50;
const brandsAnOrg = 5;
const promptsABrand = 100;

/** An organisation: its row in catalog and the copies of it that the other services have. */
export async function weighOrgs(target: Measured, sql: Pool): Promise<{ ids: string[]; weighed: Weighed[] }> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const ids: string[] = [];
  const weights = [
    { what: 'an organisation', counted: 'catalog.orgs', tables: /^catalog\.orgs$/ },
    { what: '- its copy in gateway', counted: 'gateway.org_access', tables: /^gateway\.org_access$/ },
    { what: '- its copy in scans', counted: 'scans.orgs', tables: /^scans\.orgs$/ },
    { what: '- its copy in webhooks', counted: 'webhooks.orgs', tables: /^webhooks\.orgs$/ },
  ].map((weight) => ({ ...weight, count: orgs, keptFor: 'for ever' }));
  const weighed = await weigh(sql, weights, async () => {
    const names = Array.from({ length: orgs }, (_, index) => `Organisation ${index}`);
    await inParallel(names, atOnce, async (name) => {
      const { data } = await operator.post<Item>('/orgs', { name, tier: 'enterprise' });
      ids.push(data.id);
    });
  });
  return { ids, weighed };
}

/** A key of each organisation, and what counts its requests of a month. */
export async function weighKeys(
  target: Measured,
  sql: Pool,
  ids: readonly string[],
): Promise<{ made: Org[]; weighed: Weighed[] }> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const made: Org[] = [];
  const weights = [
    { what: 'an API key', counted: 'gateway.api_keys', tables: /^gateway\.api_keys$/ },
    {
      what: '- a month in which it was used',
      counted: 'gateway.quota_leases',
      tables: /^gateway\.quota_leases$/,
    },
  ].map((weight) => ({ ...weight, count: orgs, keptFor: 'for ever' }));
  const weighed = await weigh(sql, weights, async (round) => {
    await inParallel(partOf(ids, round), atOnce, async (orgId) => {
      const body = {
        name: 'server',
        scopes: ['read', 'write'],
        per_minute: 1_000_000,
        monthly_quota: 10_000_000,
      };
      const { data } = await operator.post<{ data: { key: string } }>(`/orgs/${orgId}/keys`, body);
      const client = createClient(target.baseUrls[0] ?? '', data.key);
      await client.get(`/orgs/${orgId}`);
      made.push({ orgId, client });
    });
  });
  return { made, weighed };
}

/** A brand with two competitors of its own, and its events. */
export async function weighBrands(
  sql: Pool,
  made: readonly Org[],
): Promise<{ brands: Brand[]; weighed: Weighed[] }> {
  const owners = made.slice(0, 2 * orgsWithBrands);
  const copied = { count: orgsWithBrands * brandsAnOrg, rowsEach: 3, keptFor: 'for ever' };
  const brands: Brand[] = [];
  const weights = [
    {
      ...copied,
      what: 'a brand with two competitors',
      counted: 'catalog.brands',
      tables: /^catalog\.(brands|brand_)/,
    },
    {
      ...copied,
      what: '- its copy in results',
      counted: 'results.brands',
      tables: /^results\.(brands|brand_tokens)$/,
    },
    { ...copied, what: '- its copy in scans', counted: 'scans.brands', tables: /^scans\.brands$/ },
    { ...copied, what: '- its copy in webhooks', counted: 'webhooks.brands', tables: /^webhooks\.brands$/ },
  ];
  const weighed = await weigh(sql, weights, async (round) => {
    const lists = await inParallel(partOf(owners, round), atOnce, async (org, place) => {
      const list: Brand[] = [];
      while (list.length < brandsAnOrg) list.push(await makeBrand(org, `${round}-${place}-${list.length}`));
      return list;
    });
    brands.push(...lists.flat());
  });
  return { brands, weighed };
}

async function makeBrand({ orgId, client }: Org, name: string): Promise<Brand> {
  const { data } = await client.post<Item>(`/orgs/${orgId}/properties`, {
    name: `Brand ${name}`,
    domain: `brand-${name}.com`,
    external_ref: randomUUID(),
    markets: ['US'],
    competitors: [
      { name: `First rival of ${name}`, domain: `first-rival-of-${name}.com` },
      { name: `Second rival of ${name}`, domain: `second-rival-of-${name}.com` },
    ],
  });
  return { orgId, client, brandId: data.id };
}

/** One prompt, with an idempotency key, as a customer's program writes it. */
export async function makePrompt({ orgId, brandId, client }: Brand, number: number): Promise<void> {
  const body = {
    text: `Which tool would you choose for task ${number} of a small sales team?`,
    countries: ['US'],
    tags: [`topic-${number % 10}`],
  };
  await client.post(`/orgs/${orgId}/brands/${brandId}/prompts`, body, randomUUID());
}

/** Prompts, each a keyed write: what stays of the prompt, and what is kept for a while of the write. */
export async function weighPrompts(sql: Pool, brands: readonly Brand[]): Promise<Weighed[]> {
  const count = (brands.length / 2) * promptsABrand;
  const weights = [
    {
      what: 'a prompt for one country on five platforms',
      counted: 'catalog.prompts',
      tables: /^catalog\.prompt/,
      keptFor: 'for ever',
    },
    {
      what: '- its copy in results',
      counted: 'results.prompts',
      tables: /^results\.prompts$/,
      keptFor: 'for ever',
    },
    {
      what: "a write's idempotency key with its answer (a prompt)",
      counted: 'gateway.idempotency_keys where status is not null',
      tables: /^gateway\.idempotency_keys$/,
      keptFor: '24 hours',
    },
    {
      what: '- its answer as the service recorded it',
      counted: 'catalog.processed_operations',
      tables: /^catalog\.processed_operations$/,
      keptFor: '48 hours',
    },
    {
      what: '- its event in the outbox of catalog',
      counted: 'catalog.outbox where sent_at is not null',
      tables: /^catalog\.outbox$/,
      keptFor: outboxKept,
    },
    {
      what: '- the mark of the event in the inbox of results',
      counted: 'results.inbox',
      tables: /^results\.inbox$/,
      keptFor: inboxKept,
    },
  ].map((weight) => ({ ...weight, count }));
  return weigh(sql, weights, async (round) => {
    await inParallel(partOf(brands, round), atOnce, async (brand) => {
      for (let number = 0; number < promptsABrand; number += 1) await makePrompt(brand, number);
    });
  });
}
