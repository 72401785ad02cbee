import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listSubscriptions } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint, type Endpoint, subscribe } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
let endpoint: Endpoint;
const ids: string[] = [];
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  endpoint = await createEndpoint(webhooks, await webhooks.newPartner(), receiver.url);
  for (const threshold of [10, 20, 30, 40, 50]) {
    ids.push(await subscribe(webhooks, endpoint, { event_type: 'score.threshold_crossed', threshold }));
  }
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const list = (query = '', id = endpoint.id, partnerId = endpoint.partnerId) =>
  webhooks.as(partnerId, listSubscriptions, { params: { endpointId: id }, query });

test('200: oldest first, page by page', async () => {
  const listed: string[] = [];
  for (let query = 'limit=2'; query !== '';) {
    const { status, data, pagination } = await list(query);
    expect(status).toBe(200);
    listed.push(...data.map(({ id }) => id));
    query = pagination.has_more ? `limit=2&cursor=${pagination.next_cursor}` : '';
  }
  expect(listed).toEqual(ids);
});
test('400 invalid_cursor: of another endpoint', async () => {
  const other = await createEndpoint(webhooks, endpoint, receiver.url);
  const { pagination } = await list('limit=1');
  const response = await list(`cursor=${pagination.next_cursor}`, other.id);
  expect(response.refusal).toMatchObject({ status: 400, code: 'invalid_cursor' });
});
test('400 validation_error: limit', async () => {
  expect((await list('limit=201')).refusal).toMatchObject({ status: 400, code: 'validation_error' });
});
test('404 not_found: unknown, or another partner’s', async () => {
  for (const response of [await list('', randomUUID()), await list('', endpoint.id, randomUUID())]) {
    expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});
test('403 partner_only', async () => {
  const response = await webhooks.call(listSubscriptions, { params: { endpointId: endpoint.id } });
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
