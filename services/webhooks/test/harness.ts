import { afterAll } from '@jest/globals';
import { scanScored } from '@bv/events';
import { eventually } from '@bv/testkit';
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
  const { status, body } = await webhooks.as(partner.partnerId, {
    method: 'POST',
    path: '/webhook-endpoints',
    body: { url },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { ...partner, id: body.data.id, secret: body.data.secret };
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

export async function subscribe(webhooks: Webhooks, endpoint: Endpoint, body: unknown): Promise<string> {
  const path = `/webhook-endpoints/${endpoint.id}/subscriptions`;
  const { status, body: response } = await webhooks.as(endpoint.partnerId, { method: 'POST', path, body });
  if (status !== 201) throw new Error(JSON.stringify(response));
  return response.data.id;
}

export async function readEndpoint(webhooks: Webhooks, { id, partnerId }: Endpoint) {
  const { body } = await webhooks.as(partnerId, { path: '/webhook-endpoints?limit=200' });
  return body.data.find((endpoint: { id: string }) => endpoint.id === id);
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

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into every field
export type Delivery = any;

/** Returns the deliveries of events without pings, newest first. */
export async function readDeliveries(webhooks: Webhooks, { id, partnerId }: Endpoint): Promise<Delivery[]> {
  const { body } = await webhooks.as(partnerId, { path: `/webhook-endpoints/${id}/deliveries?limit=200` });
  return body.data.filter((delivery: Delivery) => delivery.event_type !== 'endpoint.ping');
}

/** Waits until the newest delivery of an event matches, and returns it. */
export async function waitForDelivery(
  webhooks: Webhooks,
  endpoint: Endpoint,
  isMatch: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  return eventually(
    async () => {
      const [delivery] = await readDeliveries(webhooks, endpoint);
      if (delivery === undefined || !isMatch(delivery)) throw new Error(JSON.stringify(delivery ?? 'none'));
      return delivery;
    },
    { intervalMs: 20 },
  );
}

/** Waits until every domain event published so far was handled. */
export async function waitForAppliedEvents(webhooks: Webhooks): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await webhooks.pool.query(
        `select (select count(*) from outbox)::int as published,
          (select count(distinct event_id) from inbox)::int as handled`,
      );
      const { published, handled } = rows[0];
      if (handled < published) throw new Error(`${handled} of ${published} events applied`);
    },
    { intervalMs: 20 },
  );
}

type Value = (name: string, labels?: string) => number;

/** Reads the metrics of the process. */
export async function readMetrics(port: number): Promise<Value> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (name, labels = '') =>
    Number(new RegExp(`^${name}\\{${labels}service="webhooks"\\} (.*)$`, 'm').exec(text)?.[1]);
}
