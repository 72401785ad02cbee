import { afterAll } from '@jest/globals';
import {
  createSubscription,
  createWebhookEndpoint,
  type Delivery,
  listDeliveries,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '@bv/contract';
import { scanScored, type TypedEnvelope } from '@bv/events';
import { type Transaction, transaction } from '@bv/postgres';
import { eventually } from '@bv/testkit';
import { onScanScored } from '../src/events/on-scan-scored.ts';
import { scoredScan, type ScoredScan } from './scans.ts';
import type { Webhooks } from './start-webhooks.ts';

type Closable = { close(): Promise<void> };
const closables = new Set<Closable>();
afterAll(async () => {
  await Promise.all([...closables].map((each) => each.close()));
});

/** Closes the server after all tests of the file, also after a failure: an open server keeps jest running. */
export function closeAfterAll<T extends Closable>(server: T): T {
  closables.add(server);
  return server;
}

export type Endpoint = { id: string; secret: string; partnerId: string; orgId: string };

/** Creates an endpoint of the partner. It is not verified yet. */
export async function createEndpoint(
  webhooks: Webhooks,
  partner: { partnerId: string; orgId: string },
  url: string,
): Promise<Endpoint> {
  const { data } = await webhooks.as(partner.partnerId, createWebhookEndpoint, { body: { url } });
  return { ...partner, id: data.id, secret: data.secret };
}

/** Creates a verified endpoint that is subscribed to scan.completed, by default of a new partner. */
export async function activeEndpoint(
  webhooks: Webhooks,
  url: string,
  partner?: { partnerId: string; orgId: string },
): Promise<Endpoint & { subscriptionId: string }> {
  const endpoint = await createEndpoint(webhooks, partner ?? (await webhooks.newPartner()), url);
  await waitForStatus(webhooks, endpoint, 'active');
  const subscriptionId = await subscribe(webhooks, endpoint, { event_type: 'scan.completed' });
  return { ...endpoint, subscriptionId };
}

export async function subscribe(
  webhooks: Webhooks,
  { id, partnerId }: Endpoint,
  body: unknown,
): Promise<string> {
  const { data } = await webhooks.as(partnerId, createSubscription, { params: { endpointId: id }, body });
  return data.id;
}

export async function readEndpoint(
  webhooks: Webhooks,
  { id, partnerId }: Endpoint,
): Promise<WebhookEndpoint | undefined> {
  const { data } = await webhooks.as(partnerId, listWebhookEndpoints, { query: { limit: 200 } });
  return data.find((endpoint) => endpoint.id === id);
}

export async function waitForStatus(webhooks: Webhooks, endpoint: Endpoint, status: string): Promise<void> {
  await eventually(
    async () => {
      const current = await readEndpoint(webhooks, endpoint);
      if (current?.status !== status) throw new Error(`endpoint is ${current?.status}, not ${status}`);
    },
    { intervalMs: 20 },
  );
}

/** Publishes a scored scan of the organisation, as results does. */
export async function publishScan(
  webhooks: Webhooks,
  change: Parameters<typeof scoredScan>[0],
): Promise<ScoredScan> {
  const scan = scoredScan(change);
  await webhooks.publish(scanScored, scan.job_id, scan);
  return scan;
}

/** Handles a scored scan in a transaction, as the consumer does. */
export const handleInTransaction = (tx: Transaction, scan: ScoredScan): Promise<void> => {
  const envelope = { data: scan, time: new Date().toISOString() } as TypedEnvelope<typeof scanScored>;
  return onScanScored(tx, envelope, () => new Date());
};
export const handleScoredScan = ({ pool }: Webhooks, scan: ScoredScan): Promise<void> =>
  transaction(pool, (tx) => handleInTransaction(tx, scan));

/** Returns the deliveries of events without pings, newest first. */
export async function readDeliveries(webhooks: Webhooks, { id, partnerId }: Endpoint): Promise<Delivery[]> {
  const input = { params: { endpointId: id }, query: { limit: 200 } };
  const { data } = await webhooks.as(partnerId, listDeliveries, input);
  return data.filter((delivery) => delivery.event_type !== 'endpoint.ping');
}

/** Waits until the deliveries of events match, and returns them. */
export async function waitForDeliveries(
  webhooks: Webhooks,
  endpoint: Endpoint,
  isMatch: (deliveries: Delivery[]) => boolean,
  { timeoutMs = 30_000 } = {},
): Promise<Delivery[]> {
  return eventually(
    async () => {
      const found = await readDeliveries(webhooks, endpoint);
      if (!isMatch(found)) throw new Error(JSON.stringify(found));
      return found;
    },
    { intervalMs: 20, timeoutMs },
  );
}

/** Waits until the newest delivery of an event matches, and returns it. */
export async function waitForDelivery(
  webhooks: Webhooks,
  endpoint: Endpoint,
  isMatch: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  const [delivery] = await waitForDeliveries(
    webhooks,
    endpoint,
    ([newest]) => newest !== undefined && isMatch(newest),
  );
  return delivery!;
}

/** Makes the pending deliveries of the endpoint due now, so that no test waits for a schedule. */
export async function makeDue({ pool }: Webhooks, { id }: { id: string }): Promise<void> {
  // A second ago, so that the time is over on both clocks: that of Postgres and that of this process.
  const past = `now() - interval '1 second'`;
  await pool.query(
    `update deliveries set next_attempt_at = ${past} where endpoint_id = $1 and status = 'pending'`,
    [id],
  );
  await pool.query(`update endpoints set next_lease_at = ${past} where id = $1`, [id]);
}

/** Waits until a dispatcher has checked the endpoint and sends nothing to it for now. */
export async function waitUntilPostponed({ pool }: Webhooks, { id }: { id: string }): Promise<void> {
  await eventually(
    async () => {
      const text = 'select from endpoints where id = $1 and next_lease_at > $2';
      const { rowCount } = await pool.query(text, [id, new Date()]);
      if (rowCount !== 1) throw new Error(`endpoint ${id} is due`);
    },
    { intervalMs: 20 },
  );
}

export type TestClock = { now: () => Date; advance(ms: number): void };

/** The current time plus what the test has advanced it by. */
export function createClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance: (ms) => {
      offsetMs += ms;
    },
  };
}

type Value = (name: string, labels?: string) => number;

/** Reads the metrics of a process. */
export async function readMetrics({ monitoringUrl }: { monitoringUrl: string }): Promise<Value> {
  const text = await (await fetch(`${monitoringUrl}/metrics`)).text();
  return (name, labels = '') =>
    Number(new RegExp(`^${name}\\{${labels}service="webhooks"\\} (.*)$`, 'm').exec(text)?.[1]);
}
