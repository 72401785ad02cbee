import { randomUUID } from 'node:crypto';
import { createProperty } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, newHost, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const create = (orgId: string, body: object, operationId?: string) =>
  catalog.call(createProperty, { params: { orgId }, body, caller: operationId ? { operationId } : {} });
const countBrands = async (orgId: string): Promise<number> => {
  const { rows } = await catalog.sql.query('select count(*)::int as n from brands where org_id = $1', [
    orgId,
  ]);
  return rows[0].n;
};

describe('a retry after a crash', () => {
  test('continues after the last recorded step and returns the response of the first attempt', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const competitors = Array.from({ length: 3 }, (_, index) => ({ name: `c${index}`, domain: newHost() }));
    const body = { name: 'a', domain: newHost(), external_ref: 'x', markets: ['US'], competitors };
    const first = await create(orgId, body, operationId);
    expect(first.status).toBe(201);
    // As after a crash behind the second competitor: the response and all later steps are undone.
    const { id } = first.data;
    const third = first.data.competitors[2]?.id;
    await catalog.sql.query('delete from processed_operations where operation_id = $1', [operationId]);
    await catalog.sql.query('insert into operation_progress (operation_id, brand_id) values ($1, $2)', [
      operationId,
      id,
    ]);
    for (const [index, { id: competitorId }] of first.data.competitors.slice(0, 2).entries()) {
      const outcome = { status: 'applied', competitor_id: competitorId, reused: false };
      await catalog.sql.query(
        'insert into operation_steps (operation_id, position, outcome) values ($1, $2, $3)',
        [operationId, index, JSON.stringify(outcome)],
      );
    }
    await catalog.sql.query('delete from brand_competitors where competitor_id = $1', [third]);
    const retry = await create(orgId, body, operationId);
    expect(retry.status).toBe(201);
    const { updated_at: _, ...expected } = first.data;
    expect(retry.data).toMatchObject(expected);
    const left = await catalog.sql.query('select from operation_progress where operation_id = $1', [
      operationId,
    ]);
    expect(left.rowCount).toBe(0);
    expect((await create(orgId, body, operationId)).body).toEqual(retry.body);
  });

  test('idempotency_key_in_flight for an attempt superseded by a newer one: its competitor is undone', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const domain = newHost();
    const body = { name: 'a', domain: newHost(), competitors: [{ name: 'c', domain }] };
    const blocker = await catalog.sql.connect();
    try {
      await blocker.query('begin');
      await blocker.query(`insert into brands (org_id, is_own, name, domain) values ($1, false, 'c', $2)`, [
        orgId,
        domain,
      ]);
      const superseded = create(orgId, body, operationId);
      await eventually(async () => {
        const { rowCount } = await catalog.sql.query(
          'update operation_progress set attempt = attempt + 1 where operation_id = $1 and brand_id is not null',
          [operationId],
        );
        expect(rowCount).toBe(1);
      });
      await blocker.query('rollback');
      expect((await superseded).refusal).toEqual({
        status: 409,
        code: 'idempotency_key_in_flight',
        details: undefined,
      });
    } finally {
      blocker.release();
    }
    expect(await countBrands(orgId)).toBe(1);
    const done = await create(orgId, body, operationId);
    expect(done.status).toBe(201);
    expect(done.data.competitors).toMatchObject([{ name: 'c', domain }]);
  });

  test('two parallel requests of one operation create one brand and return one response', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const competitors = Array.from({ length: 5 }, (_, index) => ({ name: `c${index}`, domain: newHost() }));
    const body = { name: 'a', domain: newHost(), competitors };
    const responses = await Promise.all([create(orgId, body, operationId), create(orgId, body, operationId)]);
    const done = responses.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    for (const { body: response } of done) expect(response).toEqual(done[0]?.body);
    for (const response of responses.filter((each) => !done.includes(each))) {
      expect(response.refusal).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
    }
    expect(await countBrands(orgId)).toBe(6);
  });
});
