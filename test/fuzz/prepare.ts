import { setTimeout as sleep } from 'node:timers/promises';
import { BrandVisibilityClient } from '@bv/sdk';
import { type Receiver, startReceiver, type Stack } from '@bv/local-stack';

/**
 * Creates a partner with one linked organisation, a resource of every kind, and a key with an allowance that is never
 * reached. Returns the variables for the configuration of the fuzzer.
 */
export async function prepare(stack: Stack): Promise<Record<string, string>> {
  const { orgId, key } = await createCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const results = await createMeasuredBrands(client, orgId);
  const receiver = await startReceiver();
  const webhooks = await createWebhook(client, receiver);
  await receiver.close();
  return {
    BV_FUZZ_BASE_URL: stack.baseUrl,
    BV_FUZZ_KEY: key,
    BV_FUZZ_ORG: orgId,
    ...results,
    ...webhooks,
  };
}

export async function createCustomer(
  stack: Stack,
): Promise<{ orgId: string; partnerId: string; key: string }> {
  const operate = createOperatorClient(stack);
  const org = await operate('POST', '/orgs', { name: 'Fuzzed', tier: 'enterprise' });
  const partner = await operate('POST', '/partners', { name: 'Fuzzer' });
  await operate('PUT', `/partners/${partner.id}/links/${org.id}`, { scope: 'read_write' });
  return { orgId: org.id, partnerId: partner.id, key: await createKey(stack, partner.id) };
}

export async function createKey(stack: Stack, partnerId: string, perMinute = 1_000_000): Promise<string> {
  const { key } = await createOperatorClient(stack)('POST', `/partners/${partnerId}/keys`, {
    scopes: ['read', 'write'],
    per_minute: perMinute,
  });
  if (key === undefined) throw new Error('the operator API returned no key');
  return key;
}

export function createOperatorClient({ operatorUrl, secrets }: Stack) {
  return async (method: string, path: string, body: object): Promise<{ id: string; key?: string }> => {
    const response = await fetch(operatorUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${secrets.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
    return ((await response.json()) as { data: { id: string; key?: string } }).data;
  };
}

/** Creates two brands and scans one of them. */
export async function createMeasuredBrands(client: BrandVisibilityClient, orgId: string) {
  const competitors = [{ name: 'Globex', domain: 'globex.com' }];
  const brand = await client.createProperty({ orgId }, { name: 'Acme', domain: 'acme.com', competitors });
  const other = await client.createProperty({ orgId }, { name: 'Initech', domain: 'initech.com' });
  const [competitor] = brand.competitors;
  const inBrand = { orgId, brandId: brand.id };
  const prompt = await client.createPrompt(inBrand, { text: 'Which CRM is best?', countries: ['US', 'DE'] });
  await client.createPrompt(inBrand, { text: 'What does a CRM cost?', countries: ['US'] });
  const { job_id: jobId } = await client.requestScan(inBrand);
  for (;;) {
    const { status } = await client.getScan({ ...inBrand, jobId });
    if (status !== 'queued' && status !== 'running') break;
    await sleep(500);
  }
  const reprocess = await client.reprocessBrand(inBrand);
  return {
    BV_FUZZ_BRAND: brand.id,
    BV_FUZZ_OTHER_BRAND: other.id,
    BV_FUZZ_COMPETITOR: competitor?.id ?? '',
    BV_FUZZ_PROMPT: prompt.id,
    BV_FUZZ_JOB: jobId,
    BV_FUZZ_REPROCESS: reprocess.job_id,
  };
}

export async function createWebhook(client: BrandVisibilityClient, receiver: Receiver) {
  const endpoint = await client.createWebhookEndpoint({ url: receiver.url });
  const inEndpoint = { endpointId: endpoint.id };
  const subscription = await client.createSubscription(inEndpoint, { event_type: 'scan.completed' });
  const delivery = await client.testWebhookEndpoint(inEndpoint);
  await receiver.waitFor(({ headers }) => headers['webhook-id'] === delivery.event_id);
  return {
    BV_FUZZ_ENDPOINT: endpoint.id,
    BV_FUZZ_SUBSCRIPTION: subscription.id,
    BV_FUZZ_DELIVERY: delivery.id,
  };
}
