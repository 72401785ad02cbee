import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startReceiver, type Receiver } from '@bv/testkit';
import { Webhook } from 'standardwebhooks';
import { importLine, startSystem, type System } from './system.ts';

let system: System;
let receiver: Receiver;
/** Resources that the operator creates for all tests. */
let orgId: string;
let key: string;
let partnerKey: string;

beforeAll(async () => {
  system = await startSystem();
  receiver = await startReceiver(() => 204);
  orgId = (await system.operate('POST', '/orgs', { name: 'Acme Inc', tier: 'scale' })).body.data.id;
  const scopes = ['read', 'write'];
  key = (await system.operate('POST', `/orgs/${orgId}/keys`, { scopes, per_minute: 6000 })).body.data.key;
  const partner = (await system.operate('POST', '/partners', { name: 'Agency' })).body.data.id;
  partnerKey = (await system.operate('POST', `/partners/${partner}/keys`, { scopes, per_minute: 6000 })).body
    .data.key;
  const link = { scope: 'read_write', external_ref: 'customer-1' };
  await system.operate('PUT', `/partners/${partner}/links/${orgId}`, link);
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await system.stop();
}, 60_000);

/** A brand with competitors and prompts in the organisation of the tests. */
async function provisionBrand(name: string, prompts: { text: string; countries: string[] }[]) {
  const slug = name.toLowerCase().replaceAll(/\W/g, '');
  const created = await system.call('POST', `/orgs/${orgId}/properties`, {
    key,
    body: {
      name,
      domain: `https://www.${slug}.com/`,
      external_ref: slug,
      markets: ['us', 'de'],
      competitors: [
        { name: 'HubSpot', domain: 'hubspot.com' },
        { name: 'Zoho', domain: 'zoho.com' },
      ],
    },
  });
  expect(created).toMatchObject({
    status: 201,
    body: { data: { domain: `${slug}.com`, markets: ['US', 'DE'] } },
  });
  const brandId: string = created.body.data.id;
  const promptIds: string[] = [];
  for (const body of prompts) {
    const prompt = await system.call('POST', `/orgs/${orgId}/brands/${brandId}/prompts`, { key, body });
    expect(prompt.status).toBe(201);
    promptIds.push(prompt.body.data.id);
  }
  return { brandId, promptIds };
}

async function waitForScan(brandId: string, jobId: string) {
  return eventually(
    async () => {
      const { body } = await system.call('GET', `/orgs/${orgId}/brands/${brandId}/scan-requests/${jobId}`, {
        key,
      });
      expect(body.data.completed_at).not.toBeNull();
      return body.data;
    },
    { timeoutMs: 120_000 },
  );
}

test('an import returns once its change token is visible everywhere', async () => {
  const { brandId, promptIds } = await provisionBrand('Imported', [
    { text: 'Which CRM?', countries: ['US'] },
  ]);
  for (const daysAgo of [3, 2, 1]) {
    const line = importLine({ brandId, promptId: promptIds[0] ?? '', daysAgo });
    const imported = await system.operate('POST', '/results/import', `${line}\n`);
    expect(imported).toMatchObject({ status: 201, body: { data: { imported: 1 } } });
    const detail = await system.call('GET', `/orgs/${orgId}/brands/${brandId}`, { key });
    const summary = await system.call('GET', `/orgs/${orgId}/brands/summary`, { key });
    const row = summary.body.data.find(({ id }: { id: string }) => id === brandId);
    expect(row.changed_at).toEqual(expect.any(String));
    expect(detail.body.data.last_scan_changed_at).toBe(row.changed_at);
  }
});

test('a brand that nobody tracks is discovered, sorted by the LLM judge and linked, and has its history', async () => {
  const { brandId, promptIds } = await provisionBrand('Discoverer', [
    { text: 'Which CRM is new?', countries: ['US'] },
  ]);
  const toText = (name: string) =>
    `Look at these:\n\n1. **Discoverer**: known\n2. **${name}**: flexible\n3. **Folk**: simple\n`;
  const days = [3, 2, 1];
  const lines = days.map((daysAgo) =>
    importLine({
      brandId,
      promptId: promptIds[0] ?? '',
      daysAgo,
      answerText: toText(daysAgo === 3 ? 'Attio CRM' : 'Attio'),
    }),
  );
  await system.operate('POST', '/results/import', `${lines.join('\n')}\n`);
  const base = `/orgs/${orgId}/brands/${brandId}`;
  const readNames = async () =>
    (await system.call('GET', `${base}/discovered-brands`, { key })).body.data.map(
      (row: { name: string; kind: string; units_mentioned: number }) => [
        row.name,
        row.kind,
        row.units_mentioned,
      ],
    );
  expect(await readNames()).toEqual([
    ['Folk', 'unknown', 3],
    ['Attio', 'unknown', 2],
  ]);
  // The LLM judge sorts names at its start.
  system.kill('results');
  await eventually(
    async () =>
      expect(await readNames()).toEqual([
        ['Attio', 'brand', 3],
        ['Folk', 'brand', 3],
      ]),
    { timeoutMs: 120_000 },
  );
  const body = { name: 'Attio', domain: 'attio.com' };
  const linked = await system.call('POST', `${base}/competitors`, { key, body });
  expect(linked).toMatchObject({ status: 201, body: { data: { reprocess_advised: true } } });
  await eventually(async () => expect(await readNames()).toEqual([['Folk', 'brand', 3]]));
  const job = await system.call('POST', `${base}/reprocess-requests`, { key, body: {} });
  expect(job.status).toBe(202);
  await eventually(
    async () => {
      const shares = await system.call('GET', `${base}/share-of-voice`, { key });
      const history = shares.body.data.filter(({ name }: { name: string }) => name === 'Attio');
      expect(history.map(({ mentions }: { mentions: number }) => mentions)).toEqual([1, 1, 1]);
    },
    { timeoutMs: 120_000 },
  );
  const coverage = await system.call('GET', `${base}/coverage?subject=brands`, { key });
  expect(coverage.body.data).toMatchObject({ units: 3, seen: 3, seen_once: 0 });
}, 400_000);

describe('from an API key to a measured mention and a signed webhook', () => {
  test('property, prompts, scan, results, webhook', async () => {
    const endpoint = await system.call('POST', '/webhook-endpoints', {
      key: partnerKey,
      body: { url: `${receiver.url}/hook` },
    });
    expect(endpoint).toMatchObject({ status: 201, body: { data: { status: 'pending_verification' } } });
    const { id: endpointId, secret } = endpoint.body.data;
    await eventually(async () => {
      const { body } = await system.call('GET', '/webhook-endpoints', { key: partnerKey });
      expect(body.data).toMatchObject([{ id: endpointId, status: 'active' }]);
    });
    const subscription = { event_type: 'scan.completed' };
    expect(
      (
        await system.call('POST', `/webhook-endpoints/${endpointId}/subscriptions`, {
          key: partnerKey,
          body: subscription,
        })
      ).status,
    ).toBe(201);

    const { brandId, promptIds } = await provisionBrand('Pipedrive', [
      { text: 'What is the best CRM: Pipedrive, HubSpot or Zoho?', countries: ['US', 'DE'] },
      { text: 'Welches CRM ist besser: Zoho oder Pipedrive?', countries: ['DE'] },
    ]);
    const requested = await system.call('POST', `/orgs/${orgId}/brands/${brandId}/scan-requests`, { key });
    expect(requested).toMatchObject({ status: 202, body: { data: { status: 'queued' } } });
    const job = await waitForScan(brandId, requested.body.data.job_id);
    expect(job).toMatchObject({ status: 'completed', units: { total: 15, failed: 0 } });

    const event = await receiver.waitFor(
      (request) => JSON.parse(request.body).type === 'scan.completed',
      60_000,
    );
    const verified = new Webhook(secret).verify(event.body, event.headers as Record<string, string>) as {
      org: unknown;
      data: { job_id: string; score: { value: number }; last_scan_changed_at: string };
    };
    expect(verified).toMatchObject({
      org: { id: orgId, external_ref: 'customer-1' },
      data: { job_id: job.job_id },
    });

    const base = `/orgs/${orgId}/brands/${brandId}`;
    const mentions = await system.call('GET', `${base}/mentions?limit=1000`, { key });
    expect(mentions.body.data).toHaveLength(15);
    expect(mentions.body.data.some((row: { mentioned: boolean }) => row.mentioned)).toBe(true);
    const results = await system.call('GET', `/orgs/${orgId}/prompts/${promptIds[0]}/results`, { key });
    expect(results.body.data).toHaveLength(10);
    expect(new Set(results.body.data.map((row: { platform: string }) => row.platform)).size).toBe(5);
    const scores = await system.call('GET', `${base}/scores`, { key });
    expect(scores.body.data).toMatchObject([
      { country: null, units_total: 15, score: verified.data.score.value },
    ]);
    const german = await system.call('GET', `${base}/scores?country=de`, { key });
    expect(german.body.data).toMatchObject([{ country: 'DE', units_total: 10 }]);
    const share = await system.call('GET', `${base}/share-of-voice`, { key });
    expect(share.body.data).toHaveLength(3);
    const sources = await system.call('GET', `${base}/sources`, { key });
    expect(sources.body.data.length).toBeGreaterThan(0);
    await eventually(async () => {
      const detail = await system.call('GET', base, { key });
      expect(detail.body.data.last_scan_changed_at).toBe(verified.data.last_scan_changed_at);
    });
    const summary = await system.call('GET', `/orgs/${orgId}/brands/summary`, { key });
    expect(summary.body.data.find((row: { id: string }) => row.id === brandId)).toMatchObject({
      score: verified.data.score.value,
      changed_at: verified.data.last_scan_changed_at,
      scan_in_progress: false,
    });
  }, 180_000);
});
