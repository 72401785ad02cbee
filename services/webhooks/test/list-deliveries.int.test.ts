import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listDeliveries, testWebhookEndpoint, type Delivery } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { activeEndpoint, type Endpoint, publishScan, readDeliveries, waitForDeliveries } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let endpoint: Endpoint;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([
    startWebhooks({ WEBHOOKS_SCHEDULE_MS: '0,600000' }),
    startReceiver(({ body }, response) => {
      if (!body.includes('"run_date":"2026-11-05"')) return 200;
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`no\u0000 thanks ü${'x'.repeat(2000)}`);
      return undefined;
    }),
  ]);
  endpoint = await activeEndpoint(webhooks, receiver.url);
  for (const day of [1, 2, 3, 4, 5])
    await publishScan(webhooks, { orgId: endpoint.orgId, runDate: `2026-11-0${day}` });
  await waitForDeliveries(
    webhooks,
    endpoint,
    (found) =>
      found.length === 5 && found.every(({ attempts, status }) => attempts === 1 && status !== 'delivering'),
  );
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const list = (query = '', id = endpoint.id, partnerId = endpoint.partnerId) =>
  webhooks.as(partnerId, listDeliveries, { params: { endpointId: id }, query });

/** Reads all pages. `afterPage` runs after each. */
async function readPages(query: string, afterPage = async (): Promise<unknown> => undefined) {
  const listed: Delivery[] = [];
  for (let next = query; next !== '';) {
    const { data, pagination } = await list(next);
    listed.push(...data);
    next = pagination.next_cursor === null ? '' : `limit=2&cursor=${pagination.next_cursor}`;
    await afterPage();
  }
  return listed;
}

test('200: newest first, page by page, the ping included', async () => {
  const listed = await readPages('limit=2');
  expect(listed).toHaveLength(6);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(6);
  const times = listed.map(({ created_at: at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
});
test('200: the cursor keeps the status filter', async () => {
  const succeeded = await readPages('limit=2&status=succeeded');
  expect(succeeded.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
  expect(await readPages('status=dead')).toEqual([]);
});
test('200: a failed attempt shows its status, error and the cleaned start of the response', async () => {
  const [failed] = (await list('status=pending')).data;
  expect(failed).toMatchObject({
    attempts: 1,
    last_status_code: 500,
    last_error: 'http_status',
    last_duration_ms: expect.any(Number),
    next_attempt_at: expect.any(String),
  });
  expect(failed!.last_response_snippet).toMatch(/^no thanks üx+$/);
  expect(Buffer.byteLength(failed!.last_response_snippet!)).toBeLessThanOrEqual(1024);
});
test('200: paging returns each existing delivery once while new ones are inserted', async () => {
  const existing = await readDeliveries(webhooks, endpoint);
  const input = { params: { endpointId: endpoint.id } };
  const ping = () => webhooks.as(endpoint.partnerId, testWebhookEndpoint, input);
  const listed = await readPages('limit=2', () => Promise.all([ping(), ping()]));
  const ids = listed.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(existing.map(({ id }) => id)));
  const times = listed.map(({ created_at: at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
});
test('400 invalid_cursor: filter_changed', async () => {
  const { pagination } = await list('limit=1&status=succeeded');
  const cursor = pagination.next_cursor;
  expect((await list(`cursor=${cursor}&status=succeeded`)).status).toBe(200);
  const changed = await list(`cursor=${cursor}&status=dead`);
  expect(changed.refusal).toMatchObject({
    status: 400,
    code: 'invalid_cursor',
    details: { reason: 'filter_changed', parameter: 'status' },
  });
  const plain = await list('limit=1');
  const added = await list(`cursor=${plain.pagination.next_cursor}&status=succeeded`);
  expect(added.error).toMatchObject({ details: { reason: 'filter_changed', parameter: 'status' } });
});
test.each(['limit=0', 'limit=201', 'status=sent', 'status=dead&status=dead'])(
  '400 validation_error: %s',
  async (query) => {
    expect((await list(query)).refusal).toMatchObject({ status: 400, code: 'validation_error' });
  },
);
test('404 not_found: unknown, or another partner’s', async () => {
  for (const response of [await list('', randomUUID()), await list('', endpoint.id, randomUUID())]) {
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('403 partner_only', async () => {
  const response = await webhooks.call(listDeliveries, { params: { endpointId: endpoint.id } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
