import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { transaction } from '@bv/postgres';
import { insertApiKey, type NewApiKey, updateKeyRevoked } from '../src/db/api-keys.ts';
import { listAccess } from '../src/db/access.ts';
import { upsertOrgAccess } from '../src/db/org-access.ts';
import { upsertLink } from '../src/db/partner-links.ts';
import { insertPartner } from '../src/db/partners.ts';
import { openGatewayDatabase, type GatewayDatabase } from './gateway-database.ts';

let database: GatewayDatabase;

beforeAll(async () => {
  database = await openGatewayDatabase();
});
afterAll(() => database.close());

async function addOrg(state: { api_access?: boolean; deleted_at?: string } = {}): Promise<string> {
  const id = randomUUID();
  const now = new Date().toISOString();
  const org = { id, name: 'Org', tier: 'scale', api_access: true, deleted_at: null, ...state };
  await upsertOrgAccess(database.pool, 1, { ...org, created_at: now, updated_at: now });
  return id;
}

async function addKey(given: Partial<NewApiKey>): Promise<NewApiKey> {
  const key: NewApiKey = {
    id: randomUUID(),
    keyHash: randomBytes(32).toString('hex'),
    pepperId: 1,
    keyPrefix: 'bvk_live_abc',
    name: 'a "name"',
    orgId: null,
    partnerId: null,
    scopes: ['read', 'write'],
    perMinute: 600,
    monthlyQuota: null,
    expiresAt: null,
    ...given,
  };
  await transaction(database.pool, (tx) => insertApiKey(tx, key));
  return key;
}

async function addPartner(): Promise<string> {
  const id = randomUUID();
  await transaction(database.pool, (tx) => insertPartner(tx, id, 'Partner'));
  return id;
}

const expectedAccess = (key: NewApiKey): object => ({
  lookup: 0,
  key_id: key.id,
  key_prefix: key.keyPrefix,
  scopes: key.scopes,
  per_minute: key.perMinute,
  monthly_quota: key.monthlyQuota,
  org_id: key.orgId,
  partner_id: key.partnerId,
  revoked: false,
  expired: false,
  partner_active: null,
  api_access: true,
  org_deleted: false,
  link_scope: null,
  external_ref: null,
});

test('many lookups in one query: the tier of an organisation; unknown keys are omitted', async () => {
  const quota = await addKey({
    keyPrefix: 'bvk_live_"\\,',
    orgId: await addOrg(),
    monthlyQuota: 9_007_199_254_740_991,
  });
  const reader = await addKey({ orgId: await addOrg({ api_access: false }), scopes: ['read'] });
  const gone = await addKey({
    orgId: await addOrg({ deleted_at: '2026-11-01T00:00:00.000Z' }),
    expiresAt: '2026-11-01T00:00:00.000Z',
  });
  await updateKeyRevoked(database.pool, gone.id);
  const unknown = randomBytes(32).toString('hex');
  const found = await listAccess(database.pool, [
    { hashes: [unknown, quota.keyHash], orgId: quota.orgId },
    { hashes: [unknown], orgId: null },
    // Of its own organisation, whatever is in the path.
    { hashes: [reader.keyHash], orgId: quota.orgId },
    { hashes: [gone.keyHash], orgId: null },
    { hashes: [quota.keyHash], orgId: null },
  ]);
  expect(found.toSorted((one, other) => one.lookup - other.lookup)).toEqual([
    expectedAccess(quota),
    { ...expectedAccess(reader), lookup: 2, api_access: false },
    { ...expectedAccess(gone), lookup: 3, revoked: true, expired: true, org_deleted: true },
    { ...expectedAccess(quota), lookup: 4 },
  ]);
  expect(await listAccess(database.pool, [{ hashes: [unknown], orgId: null }])).toEqual([]);
});

test('of a partner, its status and the link to the organisation in the path, with any reference', async () => {
  const [partnerId, orgId, other] = [await addPartner(), await addOrg(), await addOrg()];
  const key = await addKey({ partnerId });
  const reference = `"},{"lookup":1}\\ \n\t\u2028 \u{1F600} 'é`;
  await transaction(database.pool, async (tx) => {
    await upsertLink(tx, { partnerId, orgId, scope: 'read_only', externalRef: reference });
    await upsertLink(tx, { partnerId, orgId: other, scope: 'read_write', externalRef: null });
  });
  const read = async (org: string | null): Promise<unknown> =>
    (await listAccess(database.pool, [{ hashes: [key.keyHash], orgId: org }]))[0];
  const row = { ...expectedAccess(key), partner_active: true };
  expect(await read(orgId)).toEqual({ ...row, link_scope: 'read_only', external_ref: reference });
  expect(await read(other)).toEqual({ ...row, link_scope: 'read_write' });
  expect(await read(await addOrg())).toEqual(row);
  expect(await read(null)).toEqual({ ...row, api_access: null, org_deleted: null });
  await database.pool.query(`update partners set status = 'suspended' where id = $1`, [partnerId]);
  await database.pool.query('update partner_links set active = false where partner_id = $1', [partnerId]);
  expect(await read(orgId)).toEqual({ ...row, partner_active: false });
});
