import type { Organisation } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const list = (key: string, query = '') => gateway.call<Organisation[]>({ path: `/v1/orgs${query}`, key });

async function partnerWithOrgs(count: number) {
  const { orgId, partnerId, key } = await gateway.reseller();
  const orgs = [orgId];
  while (orgs.length < count) {
    const id = await gateway.createOrg();
    await gateway.link(partnerId, id, 'read_only', `ref-${orgs.length}`);
    orgs.push(id);
  }
  return { orgs: orgs.toSorted(), partnerId, key };
}

describe('200', () => {
  test('an organisation key lists its own organisation', async () => {
    const { orgId, key } = await gateway.customer();
    const { status, body } = await list(key);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: orgId,
          name: 'Acme',
          link_scope: 'owner',
          external_ref: null,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      pagination: { next_cursor: null, has_more: false },
    });
  });

  test('created_at has the text that the organisation itself is read with', async () => {
    const { orgId, key } = await gateway.customer();
    const { partnerId, key: partnerKey } = await gateway.reseller();
    await gateway.link(partnerId, orgId);
    const createdAt = '2026-11-21T03:00:00.123456Z';
    await gateway.sql.query('update org_access set created_at = $2 where org_id = $1', [orgId, createdAt]);
    for (const reader of [key, partnerKey]) {
      const { body } = await list(reader);
      expect(body.data).toContainEqual(expect.objectContaining({ id: orgId, created_at: createdAt }));
    }
  });

  test('a partner key lists what it is linked to by id, page by page, each with its link', async () => {
    const { orgs, key } = await partnerWithOrgs(5);
    const seen: { id: string; link_scope: string; external_ref: string | null }[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const { body } = await list(key, query);
      seen.push(...body.data);
      cursor = body.pagination.next_cursor;
      expect(body.pagination.has_more).toBe(cursor !== null);
    } while (cursor !== null);
    expect(seen.map(({ id }) => id)).toEqual(orgs);
    expect(seen.filter(({ link_scope }) => link_scope === 'read_write')).toHaveLength(1);
    expect(seen.filter(({ external_ref }) => external_ref?.startsWith('ref-'))).toHaveLength(4);
  });

  test('revoked links and deleted organisations are omitted', async () => {
    const { orgs, partnerId, key } = await partnerWithOrgs(3);
    const [revoked, deleted, left] = orgs;
    await gateway.operator('DELETE', `/partners/${partnerId}/links/${revoked}`);
    await gateway.sql.query('update org_access set deleted_at = now() where org_id = $1', [deleted]);
    expect((await list(key)).body.data.map(({ id }) => id)).toEqual([left]);
  });

  test('a cursor belongs to the owner: another key of the owner can continue', async () => {
    const { orgs, partnerId, key } = await partnerWithOrgs(2);
    const { next_cursor } = (await list(key, '?limit=1')).body.pagination;
    const other = await gateway.createPartnerKey(partnerId);
    const { body } = await list(other.key, `?cursor=${next_cursor}`);
    expect(body.data.map(({ id }) => id)).toEqual(orgs.slice(1));
  });
});

describe('400', () => {
  test('invalid_cursor without details: of another owner, forged', async () => {
    const { key } = await partnerWithOrgs(2);
    const { next_cursor } = (await list(key, '?limit=1')).body.pagination;
    const other = await gateway.reseller();
    const customer = await gateway.customer();
    const responses = [
      await list(other.key, `?cursor=${next_cursor}`),
      await list(customer.key, `?cursor=${next_cursor}`),
      await list(key, '?cursor=bm9uc2Vuc2U'),
      await list(key, '?cursor=%00%0A'),
    ];
    for (const { status, body } of responses) {
      expect([status, body.error.code, body.error.details]).toEqual([400, 'invalid_cursor', undefined]);
    }
  });

  test('validation_error: limit and cursor outside their bounds', async () => {
    const { key } = await gateway.customer();
    const getFirstDetail = async (query: string) => (await list(key, query)).body.error.details[0];
    expect(await getFirstDetail('?limit=0')).toMatchObject({ path: 'limit', code: 'too_small' });
    expect(await getFirstDetail('?limit=201')).toMatchObject({ path: 'limit', code: 'too_big' });
    expect(await getFirstDetail('?limit=ten')).toMatchObject({ path: 'limit', code: 'invalid_type' });
    expect(await getFirstDetail('?limit=1&limit=2')).toMatchObject({ path: 'limit', code: 'invalid_type' });
    // The maximum size at the edge; services also receive the caller header.
    for (const length of [2_049, 15_900]) {
      expect(await getFirstDetail(`?cursor=${'c'.repeat(length)}`)).toMatchObject({
        path: 'cursor',
        code: 'too_big',
      });
    }
  });
});
