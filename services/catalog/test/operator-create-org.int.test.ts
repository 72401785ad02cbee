import { operatorCreateOrg } from '@bv/contract';
import { testCaller } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, readPublishedHeader, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorCreateOrg', () => {
  test('201, and returns the position of its event in the stream', async () => {
    const response = await catalog.call(operatorCreateOrg, {
      body: {
        name: ' Acme ',
        tier: 'scale',
        overrides: { prompts: 7 },
      },
    });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.any(String),
      name: 'Acme',
      tier: 'scale',
      overrides: { prompts: 7 },
      retention: { answer_text_days: null, unit_days: null },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(readPublishedHeader(response)).toEqual([orgChanged]);
  });

  test.each<[string, string, object]>([
    ['invalid_value', 'tier', { tier: 'platinum' }],
    ['too_small', 'name', { name: ' ' }],
    ['too_big', 'name', { name: 'x'.repeat(201) }],
    ['invalid_type', 'tier', { tier: null }],
    ['too_small', 'overrides.prompts', { overrides: { prompts: -1 } }],
    ['unrecognized_keys', 'overrides.seats', { overrides: { seats: 1 } }],
    ['invalid_type', 'overrides.api_access', { overrides: { api_access: null } }],
  ])('400 validation_error %s at %s', async (code, path, fields) => {
    const response = await catalog.call(operatorCreateOrg, {
      body: { name: 'Acme', tier: 'growth', ...fields },
    });
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('the caller of an organisation is not accepted as operator', async () => {
    const response = await catalog.send({
      method: 'POST',
      path: '/operator/v1/orgs',
      caller: testCaller(),
      body: { name: 'Acme', tier: 'growth' },
    });
    expect(response.status).toBe(401);
  });
});

testCommonRefusals(operatorCreateOrg, () => catalog, { name: 'Acme', tier: 'growth' });
