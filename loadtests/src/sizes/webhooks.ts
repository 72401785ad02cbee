import type { Pool } from 'pg';
import { startReceiver, waitUntil } from '@bv/local-stack';
import { createClient, type Client } from '../client.ts';
import type { StorageTarget } from '../target.ts';
import { createPrompt, type Brand } from './organisations.ts';
import { inParallel, halfOf, measureStorage, type StorageSize } from './measure-storage.ts';
import { scan } from './scans.ts';

type Item<T> = { data: T };
const concurrency = 8;
const endpoints = 2;

/** Small scans of many brands, each delivered to two endpoints of one partner. */
export async function measureDeliveries(
  target: StorageTarget,
  sql: Pool,
  brands: readonly Brand[],
): Promise<StorageSize[]> {
  const receiver = await startReceiver();
  try {
    await subscribe(await createPartner(target, brands), `${receiver.url}/events`);
    await inParallel(brands, concurrency, (brand) => createPrompt(brand, 0));
    return await measureStorage(sql, deliveryProbes(brands.length / 2), (round) =>
      scan(target, halfOf(brands, round)),
    );
  } finally {
    await receiver.close();
  }
}

function deliveryProbes(scans: number) {
  const log = '30 days (WEBHOOKS_RETENTION_DAYS)';
  return [
    {
      what: 'a scan, in scans',
      counted: `scans.scan_jobs where status = 'completed'`,
      count: scans,
      tables: /^scans\.scan_jobs$/,
      keptFor: 'for ever',
    },
    {
      what: '- its projection in results',
      counted: 'results.scans where scored_at is not null',
      count: scans,
      tables: /^results\.scans$/,
      keptFor: 'for ever',
    },
    {
      what: 'a webhook event (scan.completed)',
      counted: `webhooks.events where type = 'scan.completed'`,
      count: scans,
      tables: /^webhooks\.events$/,
      keptFor: log,
    },
    {
      what: 'a delivery with its one attempt',
      counted: `webhooks.deliveries where status = 'succeeded' and attempts = 1`,
      count: scans * endpoints,
      tables: /^webhooks\.(deliveries|attempts)$/,
      keptFor: log,
    },
  ];
}

/** A partner linked to the organisations of these brands. */
async function createPartner(target: StorageTarget, brands: readonly Brand[]): Promise<Client> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const { data: partner } = await operator.post<Item<{ id: string }>>('/partners', { name: 'Subscriber' });
  const orgIds = [...new Set(brands.map(({ orgId }) => orgId))];
  await inParallel(orgIds, concurrency, (orgId) =>
    operator.put(`/partners/${partner.id}/links/${orgId}`, { scope: 'read_write', external_ref: orgId }),
  );
  const body = { name: 'server', scopes: ['read', 'write'], per_minute: 1_000_000 };
  const { data } = await operator.post<Item<{ key: string }>>(`/partners/${partner.id}/keys`, body);
  return createClient(target.baseUrls[0] ?? '', data.key);
}

async function subscribe(client: Client, url: string): Promise<void> {
  for (let number = 0; number < endpoints; number += 1) {
    const { data } = await client.post<Item<{ id: string }>>('/webhook-endpoints', {
      url: `${url}/${number}`,
    });
    await client.post(`/webhook-endpoints/${data.id}/subscriptions`, { event_type: 'scan.completed' });
  }
  const active = async (): Promise<boolean> => {
    const { data } = await client.get<Item<{ status: string }[]>>('/webhook-endpoints');
    return data.every(({ status }) => status === 'active');
  };
  if (!(await waitUntil(active, { timeoutMs: 30_000 }))) throw new Error('the endpoints are not active');
}
