import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listWebhookEndpoints } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
const partner = { partnerId: randomUUID(), orgId: randomUUID() };
let ids: string[];
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  const created = await Promise.all(
    Array.from({ length: 5 }, () => createEndpoint(webhooks, partner, receiver.url)),
  );
  ids = created.map(({ id }) => id).toSorted();
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const list = (query = '', partnerId = partner.partnerId) =>
  webhooks.as(partnerId, listWebhookEndpoints, { query });

test('200: by id, page by page, without secrets', async () => {
  const listed: string[] = [];
  let query = 'limit=2';
  for (let page = 0; page < 3; page += 1) {
    const { status, body, data, pagination } = await list(query);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('whsec_');
    expect(pagination.has_more).toBe(page < 2);
    listed.push(...data.map(({ id }) => id));
    query = `limit=2&cursor=${pagination.next_cursor}`;
  }
  expect(listed).toEqual(ids);
});
test('200: another partner sees none of them', async () => {
  const { body } = await list('', randomUUID());
  expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
});
test('400 invalid_cursor: forged, or another partner’s', async () => {
  const { pagination } = await list('limit=1');
  const cursor = pagination.next_cursor;
  for (const response of [await list('cursor=x'), await list(`cursor=${cursor}`, randomUUID())]) {
    expect(response.refusal).toMatchObject({ status: 400, code: 'invalid_cursor' });
    expect(response.error.details).toBeUndefined();
  }
});
test.each(['0', '201', 'x', '1.5'])('400 validation_error: limit %s', async (limit) => {
  const { refusal } = await list(`limit=${limit}`);
  expect(refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [expect.objectContaining({ path: 'limit' })],
  });
});
test('403 partner_only', async () => {
  const response = await webhooks.call(listWebhookEndpoints, {});
  expect(response.refusal).toMatchObject({ status: 403, code: 'partner_only' });
});
