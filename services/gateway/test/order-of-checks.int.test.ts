import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withinMinute, type Sent } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Possible errors of a request, in the order of their refusals. */
const faults = {
  preflight: 'cors_disabled',
  noCredentials: 'invalid_api_key',
  addressOverLimit: 'rate_limited',
  badKey: 'invalid_api_key',
  overMinute: 'rate_limited',
  notEntitled: 'tier_not_entitled',
  overMonth: 'quota_exceeded',
  bodyOnRead: 'body_not_allowed',
  unknownPath: 'not_found',
  badId: 'validation_error',
  unreachable: 'not_found',
  organisationKey: 'partner_only',
  noWriteScope: 'write_scope_required',
  readOnlyLink: 'link_scope_insufficient',
  longIdempotencyKey: 'validation_error',
  tooLarge: 'payload_too_large',
  badCharset: 'invalid_body',
  notJson: 'invalid_json',
  keyReuse: 'idempotency_key_reuse',
  serviceDown: 'api_unavailable',
} as const;
type Fault = keyof typeof faults;
const order = Object.keys(faults) as Fault[];

const writeOnly: Fault[] = [
  'noWriteScope',
  'readOnlyLink',
  'longIdempotencyKey',
  'tooLarge',
  'badCharset',
  'notJson',
  'keyReuse',
];
/** Pairs that no request can have together. */
const exclusive: [Fault, Fault[]][] = [
  ['preflight', ['bodyOnRead']],
  ['noCredentials', ['badKey']],
  ['bodyOnRead', writeOnly],
  ['unknownPath', ['badId', 'unreachable', 'organisationKey']],
  ['badId', ['unreachable']],
  ['unreachable', ['organisationKey']],
  ['readOnlyLink', ['notEntitled', 'organisationKey']],
  ['longIdempotencyKey', ['keyReuse']],
];
const canMeet = (a: Fault, b: Fault): boolean =>
  !exclusive.some(([one, others]) => (one === a && others.includes(b)) || (one === b && others.includes(a)));

let gateway: TestGateway;
let gatedAddress: string;

beforeAll(async () => {
  gateway = await startGateway();
  gatedAddress = [...randomBytes(3)].reduce((address, byte) => `${address}.${byte}`, '10');
});
afterAll(() => gateway.stop());

async function gateAddress(): Promise<void> {
  await withinMinute(10_000);
  for (let attempt = 0; attempt < 21; attempt += 1) {
    await gateway.call({ path: '/v1/orgs', key: 'nonsense', headers: { 'x-forwarded-for': gatedAddress } });
  }
}

async function prepareKey(has: (fault: Fault) => boolean): Promise<{ key: string; orgId: string }> {
  const input = {
    scopes: has('noWriteScope') ? ['read'] : ['read', 'write'],
    per_minute: has('overMinute') ? 1 : 1_000,
    monthly_quota: has('overMonth') ? 0 : null,
  };
  const owner = has('readOnlyLink')
    ? await gateway.reseller(input, 'read_only')
    : await gateway.customer(input, { apiAccess: !has('notEntitled') });
  if (has('overMinute')) {
    await withinMinute(10_000);
    await gateway.call({ path: '/v1/orgs', key: owner.key });
  }
  return owner;
}

function pathFor(has: (fault: Fault) => boolean, orgId: string): string {
  if (has('unknownPath')) return '/v1/nowhere';
  if (has('organisationKey')) return has('badId') ? '/v1/webhook-endpoints/1/test' : '/v1/webhook-endpoints';
  const org = has('badId') ? 'not-an-id' : has('unreachable') ? randomUUID() : orgId;
  return `/v1/orgs/${org}/${has('bodyOnRead') ? 'brands' : 'properties'}`;
}

async function requestWith(faulty: Fault[]): Promise<Sent> {
  const has = (fault: Fault): boolean => faulty.includes(fault);
  const { key, orgId } = await prepareKey(has);
  const path = pathFor(has, orgId);
  const headers: Record<string, string> = {};
  if (has('preflight')) headers['origin'] = 'https://example.com';
  if (has('addressOverLimit')) {
    await gateAddress();
    headers['x-forwarded-for'] = gatedAddress;
  }
  if (has('longIdempotencyKey')) headers['idempotency-key'] = 'x'.repeat(256);
  if (has('badCharset')) headers['content-type'] = 'application/json; charset=utf-16';
  if (has('keyReuse')) {
    headers['idempotency-key'] = randomUUID();
    // Used before, by another request of the same owner.
    await gateway.sql.query(
      `insert into idempotency_keys (owner_kind, owner_id, key, operation, fingerprint, operation_id,
           lease_token, lease_expires_at)
       select case when org_id is null then 'partner' else 'organisation' end, coalesce(org_id, partner_id), $2,
         'other', '\\x00', gen_random_uuid(), gen_random_uuid(), now()
       from api_keys where key_prefix = $1 order by created_at desc limit 1`,
      [key.slice(0, 12), headers['idempotency-key']],
    );
  }
  const garbage = has('notJson') ? '{' : '{}';
  const body = has('tooLarge') ? garbage.padEnd(1_048_577, ' ') : garbage;
  const method = has('preflight') ? 'OPTIONS' : has('bodyOnRead') ? 'GET' : 'POST';
  const presented = has('noCredentials') ? {} : { key: has('badKey') ? key.slice(0, -1) : key };
  return { method, path, headers, body, ...presented };
}

async function getCode(faulty: Fault[]): Promise<string> {
  const sent = await requestWith(faulty);
  if (!faulty.includes('serviceDown')) return (await gateway.call(sent)).body?.error?.code;
  await gateway.upstream.close();
  try {
    return (await gateway.call(sent)).body?.error?.code;
  } finally {
    await gateway.upstream.reopen();
  }
}

describe('the earlier of two refusals is returned', () => {
  for (const [index, first] of order.entries()) {
    const others = order.slice(index + 1).filter((second) => canMeet(first, second));
    test(`${first} (${faults[first]}) alone and before ${others.join(', ')}`, async () => {
      expect(await getCode([first])).toBe(faults[first]);
      const responses: Record<string, string> = {};
      for (const second of others) responses[second] = await getCode([first, second]);
      expect(responses).toEqual(Object.fromEntries(others.map((second) => [second, faults[first]])));
    });
  }
});

describe('PATCH of a link: the write scope before partner_only', () => {
  const patch = (orgId: string, key: string) =>
    gateway.call({ method: 'PATCH', path: `/v1/orgs/${orgId}/link`, key, body: { external_ref: 'x' } });

  test('an organisation key that may not write is write_scope_required', async () => {
    const { orgId, key } = await gateway.customer({ scopes: ['read'] });
    expect((await patch(orgId, key)).body.error.code).toBe('write_scope_required');
  });

  test('an organisation key that may write is partner_only', async () => {
    const { orgId, key } = await gateway.customer();
    expect((await patch(orgId, key)).body.error.code).toBe('partner_only');
  });

  test('a partner key on a read-only link is link_scope_insufficient', async () => {
    const { orgId, key } = await gateway.reseller({}, 'read_only');
    expect((await patch(orgId, key)).body.error.code).toBe('link_scope_insufficient');
  });
});
