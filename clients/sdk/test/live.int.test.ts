/** The scenarios of `clients/sdk-scenarios/live.json` against the whole product. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  BrandVisibilityClient,
  isApiError,
  type List,
  partialFailure,
  verifyWebhook,
  type WebhookVerificationError,
} from '@bv/sdk';
import { eventually, startReceiver } from '@bv/testkit';
import { type Customer, startWithCustomer } from './customer.ts';
import { readLive } from './scenarios.ts';

let customer: Customer;
let orgId: string;
let client: BrandVisibilityClient;

beforeAll(async () => {
  customer = await startWithCustomer();
  ({ orgId, client } = customer);
}, 180_000);

afterAll(() => customer.stop(), 60_000);

const catchError = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

let brands = 0;
/** Creates a brand of its own for a scenario. */
async function createBrand() {
  brands += 1;
  const body = { name: `Brand ${brands}`, domain: `brand${brands}-example.com` };
  const { id: brandId } = await client.createProperty({ orgId }, body);
  return { orgId, brandId };
}

async function scan(at: { orgId: string; brandId: string }) {
  const { job_id: jobId } = await client.requestScan(at);
  return client.waitForScan({ ...at, jobId }, { pollIntervalMs: 500 });
}

const scenarios: Record<string, () => Promise<void>> = {
  'live-lists': async () => {
    const at = await createBrand();
    const texts = ['One?', 'Two?', 'Three?', 'Four?', 'Five?'];
    for (const text of texts) await client.createPrompt(at, { text, countries: ['US'] });
    const list = client.listPrompts({ orgId, brand_id: at.brandId, active: true, limit: 2 });
    expect((await list.all()).map(({ text }) => text)).toEqual(texts);
    const sizes: number[] = [];
    for await (const page of list.pages()) sizes.push(page.data.length);
    expect(sizes).toEqual([2, 2, 1]);
    expect(await list.page()).toMatchObject({ data: [{ text: 'One?' }, { text: 'Two?' }], hasMore: true });
    const empty: List<unknown>[] = [
      client.listScores(at),
      client.listShareOfVoice(at),
      client.listSources(at),
    ];
    for (const none of empty) expect(await none.all()).toEqual([]);
    expect(await client.listBrandSummaries({ orgId }).all()).toContainEqual(
      expect.objectContaining({ id: at.brandId }),
    );
  },

  'live-idempotency': async () => {
    const at = await createBrand();
    const body = { text: 'Six?', countries: ['DE'] };
    const options = { idempotencyKey: 'sdk-1' };
    const first = await client.createPrompt(at, body, options).withResponse();
    const again = await client.createPrompt(at, body, options).withResponse();
    expect(again.data).toEqual(first.data);
    const replayed = [first, again].map(({ response }) => response.idempotentReplayed);
    expect(replayed).toEqual([false, true]);
    const reuse = await catchError(client.createPrompt(at, { ...body, text: 'Seven?' }, options));
    expect(reuse).toMatchObject({ status: 409, code: 'idempotency_key_reuse' });
    const conflict = await catchError(client.createPrompt(at, body));
    expect(isApiError(conflict, 'conflict') && conflict.details?.existing_id).toBe(first.data.id);
  },

  'live-validation': async () => {
    const at = await createBrand();
    const error = await catchError(client.createPrompt(at, { text: 'What?', countries: ['XX'] }));
    expect(error).toMatchObject({ status: 400, code: 'validation_error' });
    expect(String(error)).toContain('countries');
  },

  'live-not-found': async () => {
    const error = await catchError(client.getOrg({ orgId: crypto.randomUUID() }));
    expect(isApiError(error, 'not_found') && error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(String(error)).not.toContain('/v1');
  },

  'live-wrong-key': async () => {
    const apiKey = `${customer.key.slice(0, -4)}AAAA`;
    const wrong = new BrandVisibilityClient({ baseUrl: customer.baseUrl, apiKey });
    const error = await catchError(wrong.getOrg({ orgId }));
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401 });
  },

  'live-missing-version': async () => {
    const baseUrl = customer.baseUrl.replace(/\/v1$/, '');
    const wrong = new BrandVisibilityClient({ baseUrl, apiKey: customer.key });
    const error = await catchError(wrong.getOrg({ orgId }));
    expect(String(error)).toContain('does it end with /v1?');
  },

  'live-lost-response': async () => {
    const at = await createBrand();
    let calls = 0;
    const lossy = new BrandVisibilityClient({
      baseUrl: customer.baseUrl,
      apiKey: customer.key,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        // An attempt that was refused as unavailable was not applied.
        if (response.status === 503) return response;
        calls += 1;
        if (calls > 1) return response;
        await response.text();
        throw new TypeError('connection lost');
      },
    });
    const prompt = await lossy.createPrompt(at, { text: 'Once?', countries: ['US'] });
    expect(calls).toBe(2);
    expect(await client.listPrompts({ orgId, brand_id: at.brandId }).all()).toEqual([prompt]);
  },

  'live-partial-failure': async () => {
    const competitors = Array.from({ length: 11 }, (_, at) => ({
      name: `C${at}`,
      domain: `c${at}-example.com`,
    }));
    const body = { name: 'Half', domain: 'half-example.com', competitors };
    const error = await catchError(client.createProperty({ orgId }, body));
    expect(isApiError(error, 'competitor_cap_exceeded')).toBe(true);
    const partial = partialFailure(error);
    expect(partial?.competitors.filter(({ status }) => status === 'applied')).toHaveLength(10);
    const brandId = partial?.brand_id ?? '';
    expect(await client.getBrand({ orgId, brandId })).toMatchObject({ name: 'Half' });
    const exists = await catchError(client.createProperty({ orgId }, body));
    expect(isApiError(exists, 'brand_exists') && exists.details?.existing_id).toBe(brandId);
    expect(partialFailure(exists)).toBeUndefined();
  },

  'live-stale-restart': async () => {
    const at = await createBrand();
    await client.createPrompt(at, { text: 'Walk?', countries: ['US'] });
    await scan(at);
    const all = () => client.listMentions({ ...at, limit: 1000 }).all();
    await eventually(async () => expect(await all()).toHaveLength(5));
    let restarts = 0;
    let rows: unknown[] = [];
    const onRestart = () => {
      restarts += 1;
      rows = [];
    };
    const mentions = client.listMentions({ ...at, limit: 2 }, { onStale: 'restart', onRestart });
    for await (const page of mentions.pages()) {
      if (rows.length === 0 && restarts === 0) {
        // Compare the list itself: the brand's last_scan_changed_at may still change because of the first scan.
        const before = await all();
        await scan(at);
        await eventually(async () => expect(await all()).not.toEqual(before));
      }
      rows.push(...page.data);
    }
    expect(restarts).toBeGreaterThan(0);
    expect(rows).toEqual(await all());
  },

  'live-wait-for-scan': async () => {
    const at = await createBrand();
    await client.createPrompt(at, { text: 'Wait?', countries: ['US'] });
    const job = await scan(at);
    expect(job).toMatchObject({ status: 'completed', units: { total: 5 } });
  },

  'live-webhook': async () => {
    const receiver = await startReceiver();
    try {
      const { id, secret } = await customer.partner.createWebhookEndpoint({ url: `${receiver.url}/hook` });
      await eventually(() => expect(receiver.requests).not.toEqual([]));
      const { headers, body } = receiver.requests[0]!;
      const event = await verifyWebhook({ headers, body }, secret);
      expect(event).toMatchObject({ type: 'endpoint.ping', data: { endpoint_id: id } });
      const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const error = await catchError(verifyWebhook({ headers, body }, other));
      expect((error as WebhookVerificationError).reason).toBe('signature_mismatch');
    } finally {
      await receiver.close();
    }
  },
};

test.each([...readLive()])(
  '%s: %s',
  async (id) => {
    const run = scenarios[id];
    if (run === undefined) throw new Error(`${id} has no implementation`);
    await run();
  },
  150_000,
);
