import { listBrands, createProperty, createWebhookEndpoint, updateLink } from '@bv/contract';
import { describe, expect, test } from '@jest/globals';
import { resolveAccess, canAccessOrg, refuseOrganisationKey, refuseWrite, type AccessRow } from './access.ts';

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

describe('no access', () => {
  test.each<[string, AccessRow | undefined]>([
    ['no such key', undefined],
    ['revoked', { ...orgKey, revoked: true }],
    ['expired', { ...orgKey, expired: true }],
    ['organisation deleted', { ...orgKey, org_deleted: true }],
    ['organisation unknown', { ...orgKey, org_deleted: null }],
    ['partner suspended', { ...partnerKey, partner_active: false }],
  ])('%s', (_, row) => {
    expect(resolveAccess(row)).toBeUndefined();
  });
});

test('only an organisation key depends on the tier of its organisation', () => {
  expect(resolveAccess({ ...orgKey, api_access: false })?.entitled).toBe(false);
  expect(resolveAccess(partnerKey)?.entitled).toBe(true);
});

test('an organisation key can access its own organisation, a partner key every linked one that is not deleted', () => {
  const canAccess = (row: AccessRow): boolean => {
    const access = resolveAccess(row);
    return access !== undefined && canAccessOrg(access, 'o');
  };
  expect(canAccess(orgKey)).toBe(true);
  expect(canAccess({ ...orgKey, org_id: 'other' })).toBe(false);
  expect(canAccess(partnerKey)).toBe(true);
  expect(canAccess({ ...partnerKey, link_scope: null })).toBe(false);
  expect(canAccess({ ...partnerKey, org_deleted: true })).toBe(false);
});

test('a write needs the scope of the key and of the link, the link only with an organisation in the path', () => {
  const refusal = (row: AccessRow, operation: Parameters<typeof refuseWrite>[1]): string | undefined => {
    const access = resolveAccess(row);
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

test('partner operations refuse organisation keys', () => {
  const [own, partner] = [resolveAccess(orgKey), resolveAccess(partnerKey)];
  expect(own && refuseOrganisationKey(own, createWebhookEndpoint)?.code).toBe('partner_only');
  expect(own && refuseOrganisationKey(own, createProperty)).toBeUndefined();
  expect(partner && refuseOrganisationKey(partner, createWebhookEndpoint)).toBeUndefined();
});
