import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { BrandVisibilityClient, isApiError, partialFailure } from '@bv/sdk';
import { eventually, freePort, startFullStack, type FullStack } from '@bv/testkit';
import { curlCommands, loadGuideReader } from './guides.ts';

type GuideData = { id?: string; job_id?: string };

const examples = join(import.meta.dirname, '../examples');
let product: FullStack;
let stack: FullStack['stack'];
let orgId: string;
let key: string;
let partnerKey: string;
let client: BrandVisibilityClient;
const started: ChildProcess[] = [];

async function operate(path: string, body: unknown, method = 'POST') {
  const response = await fetch(`${stack.operatorUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.secrets.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: { id: string; key: string } }).data;
}

/** Runs an example in a separate process that is configured by its environment only. */
function start(name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--conditions=@bv/source', join(examples, `${name}.ts`)], {
    env: { PATH: process.env['PATH'], BV_BASE_URL: stack.baseUrl, BV_API_KEY: key, ...env },
  });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { output, ended };
}

async function run(name: string, env: Record<string, string> = {}): Promise<string> {
  const { output, ended } = start(name, env);
  const status = await ended;
  expect({ status, err: output.err }).toEqual({ status: 0, err: '' });
  return output.out;
}

beforeAll(async () => {
  product = await startFullStack();
  ({ stack } = product);
  const scopes = ['read', 'write'];
  orgId = (await operate('/orgs', { name: 'Acme Inc', tier: 'scale' })).id;
  key = (await operate(`/orgs/${orgId}/keys`, { scopes, per_minute: 6000 })).key;
  const partner = (await operate('/partners', { name: 'Agency' })).id;
  partnerKey = (await operate(`/partners/${partner}/keys`, { scopes, per_minute: 6000 })).key;
  await operate(`/partners/${partner}/links/${orgId}`, { scope: 'read_write', external_ref: 'c-1' }, 'PUT');
  client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
}, 180_000);

afterAll(async () => {
  for (const child of started) child.kill();
  await product.stop();
}, 60_000);

test('webhook receiver, quick start twice, count mentions, compare weeks, correct names, sync', async () => {
  const port = await freePort();
  const partner = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: partnerKey });
  const url = `http://127.0.0.1:${port}/hook`;
  const endpoint = await partner.createWebhookEndpoint({ url });
  const receiver = start('webhook-receiver', { PORT: `${port}`, BV_WEBHOOK_SECRET: endpoint.secret });
  await eventually(() => expect(receiver.output.out).toContain('listening'));
  await partner.testWebhookEndpoint({ endpointId: endpoint.id });
  await eventually(() => expect(receiver.output.out).toContain(`endpoint.ping ${endpoint.id}`));
  await eventually(async () => {
    expect(await partner.listWebhookEndpoints().all()).toMatchObject([{ status: 'active' }]);
  });
  await partner.createSubscription({ endpointId: endpoint.id }, { event_type: 'scan.completed' });

  const first = await run('quick-start');
  const second = await run('quick-start');
  const brandId = /^brand (\S+)$/m.exec(first)?.[1] ?? '';
  const jobId = /^scan (\S+)$/m.exec(first)?.[1] ?? '';
  expect(second).toContain(`brand ${brandId}`);
  await eventually(
    async () => {
      const job = await client.getScan({ orgId, brandId, jobId });
      expect(job).toMatchObject({ status: 'completed', units: { total: 5 } });
    },
    { timeoutMs: 120_000 },
  );
  await eventually(() => expect(receiver.output.out).toMatch(/scan\.completed Pipedrive score \d/), {
    timeoutMs: 60_000,
  });

  const counted = await run('count-mentions');
  expect(counted.trim().split('\n')).toHaveLength(5);
  expect(counted).toMatch(/^Pipedrive chatgpt \d\/\d$/m);

  const env = { BV_ORG_ID: orgId, BV_BRAND_ID: brandId };
  const weeks = await run('compare-weeks', env);
  expect(weeks).toMatch(/^\d{4}-\d\d-\d\d \S+ % \(\S+ to \S+\), \d+ answers$/m);
  expect(weeks).toMatch(/^not_comparable, \S+ to \S+ after \S+ to \S+\nreason too_few$/m);
  const names = { ...env, BV_ALIAS: 'Pipedrive Sales CRM' };
  expect(await run('correct-names', names)).toMatch(/^completed: 0 of \d+ answers changed$/m);
  expect((await client.getBrand({ orgId, brandId })).aliases).toEqual([names.BV_ALIAS]);
  expect(await run('sync-prompts', env)).toMatch(/^1 created, 1 updated, 0 deactivated$/m);
  expect(await run('sync-prompts', env)).toMatch(/^0 created, 0 updated, 0 deactivated$/m);
}, 240_000);

test('the commands of the guides, in order, with ids from earlier responses', async () => {
  const variables: Record<string, string> = { API: stack.baseUrl, KEY: key };
  const run = async (guide: string) => {
    const responses: [status: number, data: unknown][] = [];
    for (const command of curlCommands(guide)) {
      const response = await command(variables);
      const { data } = (await response.json()) as { data: GuideData | GuideData[] };
      const { id = '', job_id: jobId } = (Array.isArray(data) ? data[0] : data) ?? {};
      if (response.url.endsWith('/orgs')) variables['ORG'] = id;
      if (response.url.endsWith('/properties')) variables['BRAND'] = id;
      if (jobId !== undefined) variables['JOB'] = jobId;
      responses.push([response.status, data]);
    }
    return responses;
  };
  const started = await run('quick-start');
  expect(started.map(([status]) => status)).toEqual([200, 201, 201, 202, 200, 200, 200]);
  expect(variables['ORG']).toBe(orgId);
  const [methodology, ...measured] = await run('methodology');
  expect(methodology).toEqual([200, await client.getMethodology()]);
  expect(measured.map(([status]) => status)).toEqual([200, 200]);
  const repeated = [await run('idempotency'), await run('idempotency')];
  expect(repeated[0]).toEqual([[201, expect.objectContaining({ text: 'What does a CRM cost?' })]]);
  expect(repeated[1]).toEqual(repeated[0]);

  const at = { orgId, brandId: variables['BRAND'] ?? '' };
  await eventually(async () => expect(await client.listMentions(at).all()).toHaveLength(5), {
    timeoutMs: 60_000,
  });
  const url = `${stack.baseUrl}/orgs/${orgId}/brands/${at.brandId}/mentions`;
  expect(await loadGuideReader()(url, key)).toEqual(await client.listMentions(at).all());
}, 120_000);

test('lists of several pages, filters and replayed writes against the real service', async () => {
  const property = await client.createProperty({ orgId }, { name: 'Copper', domain: 'copper.com' });
  const at = { orgId, brandId: property.id };
  const texts = ['One?', 'Two?', 'Three?', 'Four?', 'Five?'];
  for (const text of texts) await client.createPrompt(at, { text, countries: ['US'] });
  const prompts = await client.listPrompts({ orgId, brand_id: property.id, active: true, limit: 2 }).all();
  expect(prompts.map(({ text }) => text)).toEqual(texts);
  const replayed: boolean[] = [];
  const options = {
    idempotencyKey: 'sdk-1',
    onResponse: (info: { idempotentReplayed: boolean }) => replayed.push(info.idempotentReplayed),
  };
  const created = await client.createPrompt(at, { text: 'Six?', countries: ['DE'] }, options);
  expect(await client.createPrompt(at, { text: 'Six?', countries: ['DE'] }, options)).toEqual(created);
  expect(replayed).toEqual([false, true]);
  for (const list of [client.listScores(at), client.listShareOfVoice(at), client.listSources(at)]) {
    expect(await list.all()).toEqual([]);
  }
  expect(await client.listBrandSummaries({ orgId }).all()).toContainEqual(
    expect.objectContaining({ id: property.id }),
  );
}, 60_000);

test('a connection lost after the real write was applied: one prompt, the original response', async () => {
  const { id: brandId } = await client.createProperty(
    { orgId },
    { name: 'Lost', domain: 'lost-example.com' },
  );
  let calls = 0;
  const lossy = new BrandVisibilityClient({
    baseUrl: stack.baseUrl,
    apiKey: key,
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
  const prompt = await lossy.createPrompt({ orgId, brandId }, { text: 'Once?', countries: ['US'] });
  expect(calls).toBe(2);
  expect(await client.listPrompts({ orgId, brand_id: brandId }).all()).toEqual([prompt]);
});

test('a wrong key, a wrong path, another organisation', async () => {
  const wrongKey = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: `${key.slice(0, -4)}AAAA` });
  await expect(wrongKey.getOrg({ orgId })).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
  const wrongUrl = new BrandVisibilityClient({
    baseUrl: new URL('/docs-none', stack.baseUrl).href,
    apiKey: key,
  });
  await expect(wrongUrl.getOrg({ orgId })).rejects.toThrow(/base URL|not_found/);
  const error = await client.getOrg({ orgId: crypto.randomUUID() }).catch((caught: unknown) => caught);
  expect(isApiError(error, 'not_found') && error.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a scan that ends between two pages of a real list: stale, restarted, consistent rows', async () => {
  const { id: brandId } = await client.createProperty(
    { orgId },
    { name: 'Walk', domain: 'walk-example.com' },
  );
  const at = { orgId, brandId };
  await client.createPrompt(at, { text: 'Walk?', countries: ['US'] });
  const scan = async () => {
    const { job_id: jobId } = await client.requestScan(at);
    await eventually(async () => expect((await client.getScan({ ...at, jobId })).status).toBe('completed'), {
      timeoutMs: 60_000,
    });
  };
  await scan();
  await eventually(async () => expect(await client.listMentions(at).all()).toHaveLength(5));
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
      const all = () => client.listMentions({ ...at, limit: 1000 }).all();
      const before = await all();
      await scan();
      await eventually(async () => expect(await all()).not.toEqual(before));
    }
    rows.push(...page.data);
  }
  expect(restarts).toBeGreaterThan(0);
  expect(rows).toEqual(await client.listMentions({ ...at, limit: 1000 }).all());
}, 150_000);

test('a partly refused property reports what was created', async () => {
  const competitors = Array.from({ length: 11 }, (_, at) => ({
    name: `C${at}`,
    domain: `c${at}-example.com`,
  }));
  const body = { name: 'Half', domain: 'half-example.com', competitors };
  const error = await client.createProperty({ orgId }, body).catch((caught: unknown) => caught);
  expect(isApiError(error, 'competitor_cap_exceeded')).toBe(true);
  const partial = partialFailure(error);
  expect(partial?.competitors.filter(({ status }) => status === 'applied')).toHaveLength(10);
  expect(await client.getBrand({ orgId, brandId: partial?.brand_id ?? '' })).toMatchObject({ name: 'Half' });
  const exists = await client.createProperty({ orgId }, body).catch((caught: unknown) => caught);
  expect(isApiError(exists, 'brand_exists') && exists.details?.existing_id).toBe(partial?.brand_id);
  expect(partialFailure(exists)).toBeUndefined();
});
