import { listBrands, createProperty, createWebhookEndpoint, updateLink } from '@bv/contract';
import { describe, expect, test } from '@jest/globals';
import { judgeKey, reaches, refuseOrganisationKey, refuseWrite, type AccessRow } from './access.ts';

const orgKey: AccessRow = {
  key_id: 'k',
  key_prefix: 'bvk_live_abc',
  scopes: ['read', 'write'],
  per_minute: 1,
  monthly_quota: null,
  org_id: 'o',
  partner_id: null,
  revoked: false,
  expired: false,
  partner_active: null,
  api_access: true,
  org_deleted: false,
  link_scope: null,
  external_ref: null,
};
const partnerKey: AccessRow = {
  ...orgKey,
  org_id: null,
  partner_id: 'p',
  partner_active: true,
  api_access: false,
  link_scope: 'read_write',
  external_ref: 'x',
};

describe('what gives no access', () => {
  test.each<[string, AccessRow | undefined]>([
    ['no such key', undefined],
    ['revoked', { ...orgKey, revoked: true }],
    ['expired', { ...orgKey, expired: true }],
    ['organisation deleted', { ...orgKey, org_deleted: true }],
    ['organisation not known', { ...orgKey, org_deleted: null }],
    ['partner suspended', { ...partnerKey, partner_active: false }],
  ])('%s', (_, row) => {
    expect(judgeKey(row)).toBeUndefined();
  });
});

test('a plan is of the own organisation alone', () => {
  expect(judgeKey({ ...orgKey, api_access: false })?.entitled).toBe(false);
  expect(judgeKey(partnerKey)?.entitled).toBe(true);
});

test('reach: the own organisation; for a partner a link to one that is not deleted', () => {
  const reach = (row: AccessRow): boolean => {
    const access = judgeKey(row);
    return access !== undefined && reaches(access, 'o');
  };
  expect(reach(orgKey)).toBe(true);
  expect(reach({ ...orgKey, org_id: 'other' })).toBe(false);
  expect(reach(partnerKey)).toBe(true);
  expect(reach({ ...partnerKey, link_scope: null })).toBe(false);
  expect(reach({ ...partnerKey, org_deleted: true })).toBe(false);
});

test('the write rule: the lower of key and link; no link counts without an organisation in the path', () => {
  const refusal = (row: AccessRow, operation: Parameters<typeof refuseWrite>[1]): string | undefined => {
    const access = judgeKey(row);
    return access && refuseWrite(access, operation)?.code;
  };
  const readOnly: AccessRow = { ...partnerKey, link_scope: 'read_only' };
  expect(refusal({ ...orgKey, scopes: ['read'] }, listBrands)).toBeUndefined();
  expect(refusal({ ...orgKey, scopes: ['read'] }, createProperty)).toBe('write_scope_required');
  expect(refusal({ ...readOnly, scopes: ['read'] }, createProperty)).toBe('write_scope_required');
  expect(refusal(readOnly, createProperty)).toBe('link_scope_insufficient');
  expect(refusal(readOnly, updateLink)).toBe('link_scope_insufficient');
  expect(refusal(readOnly, createWebhookEndpoint)).toBeUndefined();
  expect(refusal(partnerKey, createProperty)).toBeUndefined();
});

test("partners' operations are closed to organisation keys", () => {
  const [own, partner] = [judgeKey(orgKey), judgeKey(partnerKey)];
  expect(own && refuseOrganisationKey(own, createWebhookEndpoint)?.code).toBe('partner_only');
  expect(own && refuseOrganisationKey(own, createProperty)).toBeUndefined();
  expect(partner && refuseOrganisationKey(partner, createWebhookEndpoint)).toBeUndefined();
});
