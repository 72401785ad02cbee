import { describe, expect, test } from '@jest/globals';
import { signCaller, verifyCaller } from './caller.ts';
import type { Caller } from './caller.ts';

const now = Date.UTC(2026, 10, 21);
const caller: Caller = {
  requestId: 'e2a5c1f0-7d4e-4f7e-9f0a-1f6f4d9e8b11',
  keyId: 'a3b1b8a0-5c63-4d1e-8b52-0d3a4b5c6d7e',
  keyPrefix: 'bvk_live_Ab1',
  owner: { kind: 'partner', id: '11111111-1111-4111-8111-111111111111' },
  orgId: '22222222-2222-4222-8222-222222222222',
  link: { scope: 'read_write', externalRef: 'Größe ✓' },
  scopes: ['read', 'write'],
  operation: 'createPrompt',
  operationId: null,
  expiresAt: now + 30_000,
};

const signed = signCaller(caller, 'current');
const [payload = '', signature = ''] = signed.split('.');
const otherPayload = Buffer.from(JSON.stringify({ ...caller, scopes: ['read'] })).toString('base64url');

test('a signed caller is verified and has only header characters', () => {
  expect(verifyCaller(signed, ['current'], now)).toEqual(caller);
  expect(signed).toMatch(/^[\w-]+\.[\w-]{43}$/);
});

test('during a rotation both secrets are accepted, in any order', () => {
  expect(verifyCaller(signed, ['next', 'current'], now)).toEqual(caller);
  expect(verifyCaller(signCaller(caller, 'next'), ['next', 'current'], now)).toEqual(caller);
});

describe('refused:', () => {
  test.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['no signature', payload],
    ['an empty signature', `${payload}.`],
    ['a shortened signature', signed.slice(0, -4)],
    ['another signature', `${payload}.${Buffer.alloc(32).toString('base64url')}`],
    ['another payload', `${otherPayload}.${signature}`],
    ['a third part', `${signed}.x`],
    ['another secret', signCaller(caller, 'other')],
    ['a payload that is no caller', signCaller('nonsense' as unknown as Caller, 'current')],
    ['a missing field', signCaller({ ...caller, owner: undefined } as unknown as Caller, 'current')],
  ])('%s', (_what, header) => {
    expect(verifyCaller(header, ['current'], now)).toBeUndefined();
  });

  test('an expired one, to the millisecond', () => {
    expect(verifyCaller(signed, ['current'], caller.expiresAt - 1)).toBeDefined();
    expect(verifyCaller(signed, ['current'], caller.expiresAt)).toBeUndefined();
  });

  test('every header without a configured secret', () => {
    expect(verifyCaller(signed, [], now)).toBeUndefined();
  });
});

test('an empty secret is an error', () => {
  expect(() => signCaller(caller, '')).toThrow('empty');
  expect(() => verifyCaller(signed, [''], now)).toThrow('empty');
});
