import { startReceiver, waitUntil, type Receiver } from '@bv/local-stack';
import {
  createBrand,
  createCustomer,
  createPartner,
  expectStatus,
  link,
  type Api,
  type Customer,
  type Partner,
} from './client.ts';

/** A customer and its partner with one resource of every kind that has an id in a path. */
export type Tenant = {
  customer: Customer;
  partner: Partner;
  /** By the name of the path parameter. */
  ids: Record<string, string>;
  /** Texts that only this tenant may see. */
  marks: string[];
  webhookSecret: string;
};

export type Fixture = { victim: Tenant; attacker: Tenant; receiver: Receiver };

export async function createFixture(api: Api, mark: string): Promise<Fixture> {
  const receiver = await startReceiver(() => 204);
  const [victim, attacker] = await Promise.all([
    createTenant(api, receiver, `${mark}victim`),
    createTenant(api, receiver, `${mark}attacker`),
  ]);
  return { victim, attacker, receiver };
}

async function createTenant(api: Api, receiver: Receiver, mark: string): Promise<Tenant> {
  const customer = await createCustomer(api);
  const partner = await createPartner(api);
  await link(api, partner, customer.orgId, 'read_write');
  const { orgId, key } = customer;
  const { brandId, promptIds } = await createBrand(api, customer, {
    name: `${mark} Brand`,
    texts: [`${mark} question`, `${mark} other question`],
  });
  const idle = await createBrand(api, customer, { name: `${mark} Idle` });
  const base = `/orgs/${orgId}/brands/${brandId}`;
  const competitor = { name: `${mark} Competitor`, domain: `${mark}competitor.com` };
  const linked = await expectStatus(201, api.call('POST', `${base}/competitors`, { key, body: competitor }));
  const webhook = await createWebhook(api, partner, `${receiver.url}/${mark}hook`);
  const scan = await expectStatus(202, api.call('POST', `${base}/scan-requests`, { key }));
  const jobId: string = scan.body.data.job_id;
  const ended = async (): Promise<boolean> =>
    (await api.call('GET', `${base}/scan-requests/${jobId}`, { key })).body.data?.completed_at != null;
  if (!(await waitUntil(ended, { timeoutMs: 60_000, intervalMs: 200 })))
    throw new Error('the scan did not end');
  const scored = async (): Promise<boolean> =>
    (await api.call('GET', `${base}/scores`, { key })).body.data?.length === 1;
  if (!(await waitUntil(scored, { timeoutMs: 60_000, intervalMs: 200 }))) throw new Error('not scored');
  const experimentId = await createExperiment(api, base, { key, mark });
  return {
    customer,
    partner,
    marks: [mark],
    webhookSecret: webhook.secret,
    ids: {
      orgId,
      brandId,
      idleBrandId: idle.brandId,
      promptId: promptIds[0] ?? '',
      competitorId: linked.body.data.id,
      jobId,
      endpointId: webhook.endpointId,
      subscriptionId: webhook.subscriptionId,
      deliveryId: webhook.deliveryId,
      experimentId,
    },
  };
}

/** An experiment that starts today, on prompts that were not scanned. */
async function createExperiment(
  api: Api,
  base: string,
  { key, mark }: { key: string; mark: string },
): Promise<string> {
  const toRows = (tag: string) =>
    [1, 2, 3, 4, 5].map((n) => ({ text: `${mark} ${tag} ${n}`, countries: ['US'], tags: [tag] }));
  const prompts = { prompts: [...toRows('treated'), ...toRows('control')], deactivate_missing: false };
  await expectStatus(200, api.call('PUT', `${base}/prompts`, { key, body: prompts }));
  const body = {
    name: `${mark} experiment`,
    starts_on: new Date().toISOString().slice(0, 10),
    treated: { tags: ['treated'] },
    control: { tags: ['control'] },
  };
  let id: string | undefined;
  // Results hear of new prompts by events.
  const isCreated = async (): Promise<boolean> => {
    const created = await api.call('POST', `${base}/experiments`, { key, body });
    id = created.body.data?.id;
    return created.status === 201;
  };
  if (!(await waitUntil(isCreated, { timeoutMs: 60_000, intervalMs: 200 })) || id === undefined)
    throw new Error('no experiment');
  return id;
}

type Webhook = { endpointId: string; subscriptionId: string; deliveryId: string; secret: string };

async function createWebhook(api: Api, { key }: Partner, url: string): Promise<Webhook> {
  const created = await expectStatus(201, api.call('POST', '/webhook-endpoints', { key, body: { url } }));
  const { id: endpointId, secret } = created.body.data;
  const path = `/webhook-endpoints/${endpointId}`;
  const verified = async (): Promise<boolean> =>
    (await api.call('GET', '/webhook-endpoints', { key })).body.data?.[0].status === 'active';
  if (!(await waitUntil(verified, { timeoutMs: 60_000, intervalMs: 100 }))) throw new Error('not verified');
  const body = { event_type: 'scan.completed' };
  const subscribed = await expectStatus(201, api.call('POST', `${path}/subscriptions`, { key, body }));
  const deliveries = await expectStatus(200, api.call('GET', `${path}/deliveries`, { key }));
  return {
    endpointId,
    subscriptionId: subscribed.body.data.id,
    deliveryId: deliveries.body.data[0].id,
    secret,
  };
}
