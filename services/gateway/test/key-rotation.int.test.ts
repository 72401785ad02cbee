import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const fresh = (): string => `2:${randomBytes(32).toString('base64')}`;
let gateway: TestGateway;
let rotated: GatewayProcess;

beforeAll(async () => {
  gateway = await startGateway();
  const { KEY_PEPPERS, IDEMPOTENCY_KEYS, CURSOR_KEYS, ...settings } = gateway.settings;
  rotated = await startGatewayProcess({
    ...settings,
    KEY_PEPPERS: `${fresh()},${KEY_PEPPERS}`,
    IDEMPOTENCY_KEYS: `${fresh()},${IDEMPOTENCY_KEYS}`,
    CURSOR_KEYS: `${fresh()},${CURSOR_KEYS}`,
  });
});
afterAll(async () => {
  await rotated.stop();
  await gateway.stop();
});

test('keys, stored responses and cursors of the former secrets are valid with the new ones', async () => {
  const { orgId, partnerId, key } = await gateway.reseller();
  await gateway.link(partnerId, await gateway.createOrg());
  const write = {
    method: 'POST',
    path: `/v1/orgs/${orgId}/properties`,
    key,
    body: {},
    headers: { 'idempotency-key': randomUUID() },
  };
  const first = await gateway.call(write);
  const page = await gateway.call({ path: '/v1/orgs?limit=1', key });

  const replay = await gateway.call(write, rotated.port);
  expect([replay.status, replay.text, replay.headers['idempotent-replayed']]).toEqual([
    200,
    first.text,
    'true',
  ]);
  const next = `/v1/orgs?cursor=${page.body.pagination.next_cursor}`;
  const rest = await gateway.call({ path: next, key }, rotated.port);
  expect([rest.status, rest.body.data.length]).toEqual([200, 1]);
});

test('a key minted under the new pepper is found by it', async () => {
  const { orgId } = await gateway.customer();
  const response = await fetch(`http://127.0.0.1:${rotated.operatorPort}/operator/v1/orgs/${orgId}/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.settings.OPERATOR_TOKEN}`,
      'content-type': 'application/json',
    },
    body: '{}',
  });
  const { data } = (await response.json()) as { data: { id: string; key: string } };
  const { rows } = await gateway.sql.query('select pepper_id from api_keys where id = $1', [data.id]);
  expect(rows).toEqual([{ pepper_id: 2 }]);
  expect((await gateway.call({ path: '/v1/orgs', key: data.key }, rotated.port)).status).toBe(200);
});
