import { afterAll } from '@jest/globals';
import { scanScored } from '@bv/events';
import { eventually } from '@bv/testkit';
import { scoredScan, type ScoredScan } from './scans.ts';
import type { Webhooks } from './start-webhooks.ts';

type Closable = { close(): Promise<void> };
const opened = new Set<Closable>();
afterAll(async () => {
  await Promise.all([...opened].map((each) => each.close()));
});

/** Closed at the end of the file even if its test fails before: an open server would keep jest from ending. */
export function closedAtEnd<T extends Closable>(server: T): T {
  opened.add(server);
  return server;
}

export type Endpoint = { id: string; secret: string; partnerId: string; orgId: string };

/** A partner's endpoint at this URL, as created. */
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

/** An endpoint that its ping has verified, subscribed to scan.completed; of a new partner unless given. */
export async function activeEndpoint(
  webhooks: Webhooks,
  url: string,
  partner?: { partnerId: string; orgId: string },
): Promise<Endpoint & { subscriptionId: string }> {
  const endpoint = await createEndpoint(webhooks, partner ?? (await webhooks.newPartner()), url);
  await hasStatus(webhooks, endpoint, 'active');
  const subscriptionId = await subscribe(webhooks, endpoint, { event_type: 'scan.completed' });
  return { ...endpoint, subscriptionId };
}

export async function subscribe(webhooks: Webhooks, endpoint: Endpoint, body: unknown): Promise<string> {
  const path = `/webhook-endpoints/${endpoint.id}/subscriptions`;
  const { status, body: answer } = await webhooks.as(endpoint.partnerId, { method: 'POST', path, body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data.id;
}

export async function readEndpoint(webhooks: Webhooks, { id, partnerId }: Endpoint) {
  const { body } = await webhooks.as(partnerId, { path: '/webhook-endpoints?limit=200' });
  return body.data.find((endpoint: { id: string }) => endpoint.id === id);
}

export async function hasStatus(webhooks: Webhooks, endpoint: Endpoint, status: string): Promise<void> {
  await eventually(
    async () => {
      const now = await readEndpoint(webhooks, endpoint);
      if (now?.status !== status) throw new Error(`endpoint is ${now?.status}, not ${status}`);
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

/** The deliveries of events, pings left out, newest first. */
export async function readDeliveries(webhooks: Webhooks, { id, partnerId }: Endpoint): Promise<Delivery[]> {
  const { body } = await webhooks.as(partnerId, { path: `/webhook-endpoints/${id}/deliveries?limit=200` });
  return body.data.filter((delivery: Delivery) => delivery.event_type !== 'endpoint.ping');
}

/** The newest delivery of an event, once it is as wanted. */
export async function deliveryThat(
  webhooks: Webhooks,
  endpoint: Endpoint,
  wanted: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  return eventually(
    async () => {
      const [delivery] = await readDeliveries(webhooks, endpoint);
      if (delivery === undefined || !wanted(delivery)) throw new Error(JSON.stringify(delivery ?? 'none'));
      return delivery;
    },
    { intervalMs: 20 },
  );
}

/** Waits until every domain event published so far has been taken in. */
export async function allApplied(webhooks: Webhooks): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await webhooks.pool.query(
        `select (select count(*) from outbox)::int as said,
          (select count(distinct event_id) from inbox)::int as heard`,
      );
      const { said, heard } = rows[0];
      if (heard < said) throw new Error(`${heard} of ${said} events applied`);
    },
    { intervalMs: 20 },
  );
}

type Value = (name: string, labels?: string) => number;

/** What the process tells of itself. */
export async function readMetrics(port: number): Promise<Value> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (name, labels = '') =>
    Number(new RegExp(`^${name}\\{${labels}service="webhooks"\\} (.*)$`, 'm').exec(text)?.[1]);
}
