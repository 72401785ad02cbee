import { randomUUID } from 'node:crypto';
import type { NamedPartnerLink, Partner } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const listEvents = async (aggregateId: string) =>
  (
    await gateway.sql.query(
      `select type, version, sent_at is not null as sent, envelope->'data' as data from outbox
       where aggregate_id = $1 order by version`,
      [aggregateId],
    )
  ).rows;

describe('operatorCreatePartner, operatorUpdatePartner', () => {
  test('201 and 200: each publishes the complete partner with a higher version before the response', async () => {
    const created = await gateway.operator<Partner>('POST', '/partners', { name: ' Reseller ' });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ name: 'Reseller', status: 'active' });
    const { id } = created.body.data;
    const updated = await gateway.operator('PATCH', `/partners/${id}`, { status: 'suspended' });
    expect([updated.status, updated.body.data.status]).toEqual([200, 'suspended']);
    const events = await listEvents(id);
    expect(events.map(({ version, sent, data }) => [Number(version), sent, data.status])).toEqual([
      [1, true, 'active'],
      [2, true, 'suspended'],
    ]);
  });

  test('400 validation_error, 400 invalid_json and 404 not_found', async () => {
    expect((await gateway.operator('POST', '/partners', { name: ' ' })).body.error.code).toBe(
      'validation_error',
    );
    expect((await gateway.operator('POST', '/partners', '{')).body.error.code).toBe('invalid_json');
    const unknown = await gateway.operator('PATCH', `/partners/${randomUUID()}`, { status: 'active' });
    expect(unknown.body.error.code).toBe('not_found');
    const wrong = await gateway.operator('PATCH', `/partners/${randomUUID()}`, { status: 'gone' });
    expect(wrong.body.error.code).toBe('validation_error');
  });
});

describe('operatorPutLink, operatorDeleteLink', () => {
  test('200: created, changed, revoked, created again; an omitted reference stays while the link is active', async () => {
    const partnerId = await gateway.createPartner();
    const orgId = await gateway.createOrg();
    const path = `/partners/${partnerId}/links/${orgId}`;
    const made = await gateway.operator('PUT', path, { scope: 'read_only', external_ref: 'x-1' });
    expect([made.status, made.body.data]).toEqual([
      200,
      {
        partner_id: partnerId,
        org_id: orgId,
        scope: 'read_only',
        external_ref: 'x-1',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const changed = await gateway.operator('PUT', path, { scope: 'read_write' });
    expect(changed.body.data).toMatchObject({ scope: 'read_write', external_ref: 'x-1' });
    const removed = await gateway.operator('DELETE', path);
    expect(removed.body).toEqual({ data: { id: orgId, deleted: true } });
    expect((await gateway.operator('DELETE', path)).body.error.code).toBe('not_found');
    const anew = await gateway.operator('PUT', path, { scope: 'read_only' });
    expect(anew.body.data.external_ref).toBeNull();
    const events = await listEvents(`${partnerId}:${orgId}`);
    expect(events.map(({ version, data }) => [Number(version), data.active, data.scope])).toEqual([
      [1, true, 'read_only'],
      [2, true, 'read_write'],
      [3, false, 'read_write'],
      [4, true, 'read_only'],
    ]);
  });

  test('404 not_found: unknown partner or organisation; 503 api_unavailable while catalog is silent', async () => {
    const orgId = await gateway.createOrg();
    const stranger = await gateway.operator('PUT', `/partners/${randomUUID()}/links/${orgId}`, {
      scope: 'read_only',
    });
    expect(stranger.body.error.code).toBe('not_found');
    const partnerId = await gateway.createPartner();
    const unasked = await gateway.operator('PUT', `/partners/${partnerId}/links/${randomUUID()}`, {
      scope: 'read_only',
    });
    const { code, message } = unasked.body.error;
    expect([unasked.status, code, message, unasked.headers['retry-after']]).toEqual([
      503,
      'api_unavailable',
      'catalog cannot answer now',
      '5',
    ]);
  });

  test('400 validation_error: scope owner cannot be granted', async () => {
    const path = `/partners/${await gateway.createPartner()}/links/${await gateway.createOrg()}`;
    expect((await gateway.operator('PUT', path, { scope: 'owner' })).body.error.code).toBe(
      'validation_error',
    );
  });
});

describe('operatorListPartners, operatorGetPartner', () => {
  test('200: every partner by id, page by page', async () => {
    const created = [await gateway.createPartner(), await gateway.createPartner()];
    const found: Partner[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await gateway.operator<Partner[]>('GET', `/partners?limit=2${cursor}`);
      found.push(...body.data);
      if (!body.pagination.has_more) break;
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    for (const id of created)
      expect(found.find((partner) => partner.id === id)).toMatchObject({
        name: 'Reseller',
        status: 'active',
      });
  });

  test('200: counts of links and usable keys; 404 not_found', async () => {
    const partnerId = await gateway.createPartner();
    for (let index = 0; index < 2; index += 1) await gateway.link(partnerId, await gateway.createOrg());
    await gateway.createPartnerKey(partnerId);
    await gateway.expireKey((await gateway.createPartnerKey(partnerId)).id);
    const { body } = await gateway.operator('GET', `/partners/${partnerId}`);
    expect(body.data).toMatchObject({ id: partnerId, name: 'Reseller', links: 2, active_keys: 1 });
    const unknown = await gateway.operator('GET', `/partners/${randomUUID()}`);
    expect(unknown.body.error.code).toBe('not_found');
  });
});

describe('operatorListPartnerLinks, operatorListOrgLinks', () => {
  test('200: with names, page by page, without revoked links', async () => {
    const partnerId = await gateway.createPartner();
    const orgIds: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      orgIds.push(await gateway.createOrg());
      await gateway.link(partnerId, orgIds[index] ?? '', 'read_only', `ref-${index}`);
    }
    await gateway.operator('DELETE', `/partners/${partnerId}/links/${orgIds[3]}`);
    const path = `/partners/${partnerId}/links?limit=2`;
    const first = await gateway.operator<NamedPartnerLink[]>('GET', path);
    const query = `&cursor=${first.body.pagination.next_cursor}`;
    const rest = await gateway.operator<NamedPartnerLink[]>('GET', path + query);
    const links = [...first.body.data, ...rest.body.data];
    expect(links.map(({ org_id }) => org_id)).toEqual(orgIds.slice(0, 3).toSorted());
    const names = { partner_name: 'Reseller', org_name: 'Acme' };
    expect(links[0]).toMatchObject({ partner_id: partnerId, scope: 'read_only', ...names });
    const ofOrg = await gateway.operator<NamedPartnerLink[]>('GET', `/orgs/${orgIds[0]}/links`);
    expect(ofOrg.body.data).toEqual([expect.objectContaining({ partner_id: partnerId, ...names })]);
    expect((await gateway.operator('GET', `/orgs/${orgIds[3]}/links`)).body.data).toEqual([]);
  });

  test('404 not_found: unknown partner', async () => {
    const unknown = await gateway.operator('GET', `/partners/${randomUUID()}/links`);
    expect(unknown.body.error.code).toBe('not_found');
  });
});
