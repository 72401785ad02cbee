import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { eventually, startReceiver, type Receiver } from '@bv/testkit';
import pg from 'pg';
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

describe('a process killed with -9 during a scan', () => {
  test('scans and results killed: the scan ends, every unit counts once', async () => {
    const { brandId } = await provisionBrand('Copper', [
      { text: 'Copper or HubSpot?', countries: ['US', 'DE', 'FR', 'GB'] },
      { text: 'Is Copper good?', countries: ['US', 'DE', 'FR', 'GB'] },
    ]);
    await system.simulate('/control/trouble', { platform: 'claude', kind: 'slow', delayMs: 1_500 });
    const requested = await system.call('POST', `/orgs/${orgId}/brands/${brandId}/scan-requests`, { key });
    expect(requested.status).toBe(202);
    const jobId: string = requested.body.data.job_id;
    const path = `/orgs/${orgId}/brands/${brandId}/scan-requests/${jobId}`;
    await eventually(async () => {
      const { body } = await system.call('GET', path, { key });
      expect(body.data.units.answered + body.data.units.no_answer).toBeGreaterThan(0);
    });
    system.kill('scans');
    system.kill('results');
    await system.simulate('/control/trouble', { platform: 'claude', kind: null });
    const job = await waitForScan(brandId, jobId);
    expect(job).toMatchObject({ status: 'completed', units: { total: 40, failed: 0 } });
    await eventually(
      async () => {
        const { body } = await system.call('GET', `/orgs/${orgId}/brands/${brandId}/scores`, { key });
        expect(body.data).toMatchObject([{ units_total: 40 }]);
      },
      { timeoutMs: 60_000 },
    );
    const mentions = await system.call('GET', `/orgs/${orgId}/brands/${brandId}/mentions?limit=1000`, {
      key,
    });
    expect(mentions.body.data).toHaveLength(40);
    const url = new URL(system.stack.urls.postgres);
    url.pathname = '/brand_visibility';
    const db = new pg.Client({ connectionString: url.href });
    await db.connect();
    const { rows } = await db.query(
      `select count(*)::int as units, count(distinct (prompt_id, platform, country))::int as distinct_units
       from results.units where job_id = $1`,
      [jobId],
    );
    expect(rows).toEqual([{ units: 40, distinct_units: 40 }]);
    const scored = await db.query(
      `select count(*)::int as events from results.outbox where type = 'results.scan.scored.v1' and aggregate_id = $1`,
      [jobId],
    );
    expect(scored.rows).toEqual([{ events: 1 }]);
    await db.end();
  }, 240_000);
});

describe('bad input and faults', () => {
  const path = (): string => `/orgs/${orgId}/properties`;

  test('400 invalid_json, 413 payload_too_large, 400 validation_error', async () => {
    const broken = await system.call('POST', path(), { key, body: '{"name": ' });
    expect(broken).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } });
    expect(broken.body.request_id).toBe(broken.headers.get('x-request-id'));
    const large = await system.call('POST', path(), { key, body: `"${'x'.repeat(1_048_576)}"` });
    expect(large).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
    const invalid = await system.call('POST', path(), { key, body: { name: '', domain: 'nowhere' } });
    expect(invalid).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
  });

  test('a body that does not arrive within 10 seconds: the connection closes without a byte', async () => {
    const { port, hostname } = new URL(system.stack.baseUrl);
    const socket = connect(Number(port), hostname);
    const started = performance.now();
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.write(
      `POST /v1${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
    );
    await new Promise((resolve) => socket.once('close', resolve).once('error', () => undefined));
    expect(Buffer.concat(received).toString()).toBe('');
    expect(performance.now() - started).toBeGreaterThan(9_000);
    expect(performance.now() - started).toBeLessThan(15_000);
  }, 30_000);

  test('401 invalid_api_key, 404 not_found for another organisation and an unknown path', async () => {
    expect(await system.call('GET', '/orgs')).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    });
    expect(await system.call('GET', `/orgs/${randomUUID()}`, { key })).toMatchObject({ status: 404 });
    expect(await system.call('GET', '/nothing-here', { key })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });

  test('503 api_unavailable with Retry-After only for the paths of a service that is down', async () => {
    system.kill('catalog');
    const down = await eventually(async () => {
      const response = await system.call('GET', `/orgs/${orgId}/brands`, { key });
      expect(response.status).toBe(503);
      return response;
    });
    expect(down.body.error.code).toBe('api_unavailable');
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(down.headers.get('x-ratelimit-limit')).toBeNull();
    expect((await system.call('GET', '/orgs', { key })).status).toBe(200);
    await eventually(
      async () => expect((await system.call('GET', `/orgs/${orgId}/brands`, { key })).status).toBe(200),
      { timeoutMs: 90_000 },
    );
  }, 180_000);
});

describe('an operator change returns when every service has applied it', () => {
  test('tier, link and key changes show in the very next request', async () => {
    const org = (await system.operate('POST', '/orgs', { name: 'Short', tier: 'growth' })).body.data.id;
    const createdKey = (await system.operate('POST', `/orgs/${org}/keys`, { scopes: ['read', 'write'] })).body
      .data;
    expect((await system.call('GET', `/orgs/${org}`, { key: createdKey.key })).status).toBe(200);
    await system.operate('PATCH', `/orgs/${org}`, { tier: 'starter' });
    expect(await system.call('GET', `/orgs/${org}`, { key: createdKey.key })).toMatchObject({
      status: 403,
      body: { error: { code: 'tier_not_entitled' } },
    });
    await system.operate('PATCH', `/orgs/${org}`, { tier: 'growth' });
    expect((await system.call('GET', `/orgs/${org}`, { key: createdKey.key })).status).toBe(200);
    await system.operate('DELETE', `/keys/${createdKey.id}`);
    expect((await system.call('GET', `/orgs/${org}`, { key: createdKey.key })).status).toBe(401);
    const second = (await system.operate('POST', `/orgs/${org}/keys`, { scopes: ['read'] })).body.data;
    expect((await system.call('GET', `/orgs/${org}`, { key: second.key })).status).toBe(200);
    await system.operate('DELETE', `/orgs/${org}`);
    expect((await system.call('GET', `/orgs/${org}`, { key: second.key })).status).toBe(401);
  });
});
