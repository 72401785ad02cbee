import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createClient, type Client } from '../client.ts';
import type { StorageTarget } from '../target.ts';
import {
  inboxKept,
  inParallel,
  outboxKept,
  halfOf,
  measureStorage,
  type StorageSize,
} from './measure-storage.ts';

type Item = { data: { id: string } };
export type Brand = { orgId: string; brandId: string; client: Client };
/** An organisation and a client with its key. */
type Org = { orgId: string; client: Client };

const concurrency = 8;
/** Number in each of the two loads. */
const orgs = 800;
/** As in the sizing guide. Only some organisations get brands, and only some brands get prompts. */
const orgsWithBrands = 50;
const brandsPerOrg = 5;
const promptsPerBrand = 100;

/** An organisation: its row in catalog and its projections in other services. */
export async function measureOrgs(
  target: StorageTarget,
  sql: Pool,
): Promise<{ ids: string[]; sizes: StorageSize[] }> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const ids: string[] = [];
  const probes = [
    { what: 'an organisation', counted: 'catalog.orgs', tables: /^catalog\.orgs$/ },
    { what: '- its projection in gateway', counted: 'gateway.org_access', tables: /^gateway\.org_access$/ },
    { what: '- its projection in scans', counted: 'scans.orgs', tables: /^scans\.orgs$/ },
    { what: '- its projection in webhooks', counted: 'webhooks.orgs', tables: /^webhooks\.orgs$/ },
  ].map((probe) => ({ ...probe, count: orgs, keptFor: 'for ever' }));
  const sizes = await measureStorage(sql, probes, async () => {
    const names = Array.from({ length: orgs }, (_, index) => `Organisation ${index}`);
    await inParallel(names, concurrency, async (name) => {
      const { data } = await operator.post<Item>('/orgs', { name, tier: 'enterprise' });
      ids.push(data.id);
    });
  });
  return { ids, sizes };
}

/** A key of each organisation, and the quota leases of a month. */
export async function measureKeys(
  target: StorageTarget,
  sql: Pool,
  ids: readonly string[],
): Promise<{ created: Org[]; sizes: StorageSize[] }> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const created: Org[] = [];
  const probes = [
    { what: 'an API key', counted: 'gateway.api_keys', tables: /^gateway\.api_keys$/ },
    {
      what: '- its quota lease of a month',
      counted: 'gateway.quota_leases',
      tables: /^gateway\.quota_leases$/,
    },
  ].map((probe) => ({ ...probe, count: orgs, keptFor: 'for ever' }));
  const sizes = await measureStorage(sql, probes, async (round) => {
    await inParallel(halfOf(ids, round), concurrency, async (orgId) => {
      const body = {
        name: 'server',
        scopes: ['read', 'write'],
        per_minute: 1_000_000,
        monthly_quota: 10_000_000,
      };
      const { data } = await operator.post<{ data: { key: string } }>(`/orgs/${orgId}/keys`, body);
      const client = createClient(target.baseUrls[0] ?? '', data.key);
      await client.get(`/orgs/${orgId}`);
      created.push({ orgId, client });
    });
  });
  return { created, sizes };
}

/** A brand with two competitors, and its events. */
export async function measureBrands(
  sql: Pool,
  created: readonly Org[],
): Promise<{ brands: Brand[]; sizes: StorageSize[] }> {
  const owners = created.slice(0, 2 * orgsWithBrands);
  const copied = { count: orgsWithBrands * brandsPerOrg, rowsEach: 3, keptFor: 'for ever' };
  const brands: Brand[] = [];
  const probes = [
    {
      ...copied,
      what: 'a brand with two competitors',
      counted: 'catalog.brands',
      tables: /^catalog\.(brands|brand_)/,
    },
    {
      ...copied,
      what: '- its projection in results',
      counted: 'results.brands',
      tables: /^results\.(brands|brand_tokens)$/,
    },
    { ...copied, what: '- its projection in scans', counted: 'scans.brands', tables: /^scans\.brands$/ },
    {
      ...copied,
      what: '- its projection in webhooks',
      counted: 'webhooks.brands',
      tables: /^webhooks\.brands$/,
    },
  ];
  const sizes = await measureStorage(sql, probes, async (round) => {
    const lists = await inParallel(halfOf(owners, round), concurrency, async (org, place) => {
      const list: Brand[] = [];
      while (list.length < brandsPerOrg)
        list.push(await createBrand(org, `${round}-${place}-${list.length}`));
      return list;
    });
    brands.push(...lists.flat());
  });
  return { brands, sizes };
}

async function createBrand({ orgId, client }: Org, name: string): Promise<Brand> {
  const { data } = await client.post<Item>(`/orgs/${orgId}/properties`, {
    name: `Brand ${name}`,
    domain: `brand-${name}.com`,
    external_ref: randomUUID(),
    markets: ['US'],
    competitors: [
      { name: `First competitor of ${name}`, domain: `first-competitor-of-${name}.com` },
      { name: `Second competitor of ${name}`, domain: `second-competitor-of-${name}.com` },
    ],
  });
  return { orgId, client, brandId: data.id };
}

/** Creates one prompt with an idempotency key, as clients do. */
export async function createPrompt({ orgId, brandId, client }: Brand, number: number): Promise<void> {
  const body = {
    text: `Which tool would you choose for task ${number} of a small sales team?`,
    countries: ['US'],
    tags: [`topic-${number % 10}`],
  };
  await client.post(`/orgs/${orgId}/brands/${brandId}/prompts`, body, randomUUID());
}

/** Prompts, each created with an idempotency key: permanent rows, and temporary rows of the write. */
export async function measurePrompts(sql: Pool, brands: readonly Brand[]): Promise<StorageSize[]> {
  const count = (brands.length / 2) * promptsPerBrand;
  const probes = [
    {
      what: 'a prompt for one country on five platforms',
      counted: 'catalog.prompts',
      tables: /^catalog\.prompt/,
      keptFor: 'for ever',
    },
    {
      what: '- its projection in results',
      counted: 'results.prompts',
      tables: /^results\.prompts$/,
      keptFor: 'for ever',
    },
    {
      what: "a write's idempotency record with its response (a prompt)",
      counted: 'gateway.idempotency_keys where status is not null',
      tables: /^gateway\.idempotency_keys$/,
      keptFor: '24 hours',
    },
    {
      what: '- its response in processed operations',
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
      what: '- its row in the inbox of results',
      counted: 'results.inbox',
      tables: /^results\.inbox$/,
      keptFor: inboxKept,
    },
  ].map((probe) => ({ ...probe, count }));
  return measureStorage(sql, probes, async (round) => {
    await inParallel(halfOf(brands, round), concurrency, async (brand) => {
      for (let number = 0; number < promptsPerBrand; number += 1) await createPrompt(brand, number);
    });
  });
}
