import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { IDEMPOTENCY_LEASE_MS: '600000' } });
});
afterAll(() => gateway.stop());

async function post(body: unknown, key: string, { orgId, key: apiKey }: { orgId: string; key: string }) {
  return gateway.call({
    method: 'POST',
    path: `/v1/orgs/${orgId}/properties`,
    key: apiKey,
    body,
    headers: { 'idempotency-key': key },
  });
}

/** Locks the row of the key, so that statements on it time out like with an unavailable database. */
async function holdRow(key: string): Promise<() => Promise<void>> {
  const client = await gateway.sql.connect();
  await client.query('begin');
  await client.query('select 1 from idempotency_keys where key = $1 for update', [key]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

test.each([
  ['released', 503],
  ['dropped', 403],
  ['stored', 201],
])(
  'a key that could not be %s is released when the database is back, long before its lease ends',
  async (_, status) => {
    const customer = await gateway.customer();
    const key = randomUUID();
    const work: string[] = [];
    let letGo: (() => Promise<void>) | undefined;
    gateway.upstream.respond = async (call, response) => {
      letGo ??= await holdRow(key);
      work.push(String(call.caller.operationId));
      const refusal = { error: { code: 'scan_already_queued', message: '' }, request_id: '' };
      json(response, status, status === 201 ? { data: {} } : refusal);
    };
    expect((await post({ name: 'a' }, key, customer)).status).toBe(status);
    const held = await gateway.sql.query(
      "select 1 from idempotency_keys where key = $1 and lease_expires_at > now() + interval '5 minutes'",
      [key],
    );
    expect(held.rowCount).toBe(1);
    await letGo?.();
    gateway.upstream.respond = (call, response) => {
      work.push(String(call.caller.operationId));
      json(response, 201, { data: {} });
    };
    await eventually(async () => expect((await post({ name: 'a' }, key, customer)).status).toBe(201));
    // A key that was not consumed gets a new operation id.
    expect(new Set(work).size).toBe(status === 403 ? 2 : 1);
  },
);
