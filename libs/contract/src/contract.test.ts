import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  ApiError,
  BrandParams,
  type Operation,
  createPrompt,
  createProperty,
  createSubscription,
  createWebhookEndpoint,
  errorCodes,
  ImportedUnit,
  listBrands,
  listMentions,
  operations,
  operatorOperations,
  resolveWindow,
  syncPrompts,
  updatePrompt,
  zodToApiError,
} from './index.ts';

const all: readonly Operation[] = [...operations, ...operatorOperations];

function refusal(schema: z.ZodType, input: unknown): { code: string; details: unknown } {
  const result = schema.safeParse(input);
  if (result.success) throw new Error(`accepted: ${JSON.stringify(result.data)}`);
  const { code, details } = zodToApiError(result.error);
  return { code, details };
}

const paths = (schema: z.ZodType, input: unknown): string[] => {
  const { details } = refusal(schema, input);
  return (details as { path: string; code: string }[]).map((entry) => `${entry.path}:${entry.code}`);
};

const attempt = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof ApiError ? error.details : error;
  }
};

describe('operations', () => {
  test('have unique ids and unique method and path', () => {
    expect(new Set(all.map((op) => op.id)).size).toBe(all.length);
    expect(new Set(all.map((op) => `${op.api} ${op.method} ${op.path}`)).size).toBe(all.length);
  });

  test.each(all.map((op) => [op.id, op] as const))('%s can be written as JSON Schema', (_id, op) => {
    for (const schema of [op.params, op.query, op.body]) {
      if (schema !== null) expect(z.toJSONSchema(schema, { io: 'input' })).toBeTruthy();
    }
    expect(z.toJSONSchema(op.success.data, { io: 'output' })).toBeTruthy();
  });

  test.each(all.map((op) => [op.id, op] as const))(
    '%s names its path parameters and known codes',
    (_id, op) => {
      const named = [...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const shape = (op.params as z.ZodObject).shape;
      expect(new Set(Object.keys(shape))).toEqual(new Set(named));
      for (const code of op.errors) expect(errorCodes).toHaveProperty(code);
    },
  );

  test('some operation returns every code of the registry except the protocol ones', () => {
    const returned = new Set(all.flatMap((op) => op.errors));
    const outside = ['invalid_request', 'cors_disabled', 'headers_too_large'];
    const missing = Object.keys(errorCodes).filter((code) => !returned.has(code as keyof typeof errorCodes));
    expect(new Set(missing)).toEqual(new Set(outside));
  });
});

describe('parameters', () => {
  test('ids are converted to lower case before validation, also the all-f id', () => {
    const upper = 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF';
    expect(
      BrandParams.parse({ orgId: upper, brandId: '0'.repeat(8) + '-0000-0000-0000-000000000000' }),
    ).toEqual({
      orgId: upper.toLowerCase(),
      brandId: '00000000-0000-0000-0000-000000000000',
    });
    expect(paths(BrandParams, { orgId: upper, brandId: '3f2a0000-0000-9000-8000-000000000000' })).toEqual([
      'brandId:invalid_format',
    ]);
  });

  test('limit: default 50, bounds by list, repeated is invalid_type', () => {
    expect(listBrands.query.parse({})).toEqual({ limit: 50 });
    expect(listMentions.query.parse({ limit: '1000' })).toEqual({ limit: 1000 });
    expect(paths(listBrands.query, { limit: '201' })).toEqual(['limit:too_big']);
    expect(paths(listBrands.query, { limit: '9'.repeat(400) })).toEqual(['limit:too_big']);
    expect(paths(listBrands.query, { limit: `-${'9'.repeat(400)}` })).toEqual(['limit:too_small']);
    expect(paths(listBrands.query, { limit: '0' })).toEqual(['limit:too_small']);
    expect(paths(listBrands.query, { limit: ['1', '2'] })).toEqual(['limit:invalid_type']);
    expect(paths(listBrands.query, { limit: '0x10' })).toEqual(['limit:invalid_type']);
    expect(paths(listBrands.query, { limit: '' })).toEqual(['limit:invalid_type']);
  });

  test('the market filter is trimmed, in upper case, and counted in characters', () => {
    expect(listMentions.query.parse({ country: ' us ' })).toMatchObject({ country: 'US' });
    expect(listMentions.query.parse({ country: '😀'.repeat(256) }).country).toBe('😀'.repeat(256));
    expect(paths(listMentions.query, { country: '😀'.repeat(257) })).toEqual(['country:too_big']);
    expect(paths(listMentions.query, { country: 'a\u0007b' })).toEqual(['country:invalid_format']);
  });
});

describe('windows', () => {
  test.each([
    [{}, { from: '2026-10-22', to: '2026-11-21' }],
    [{ to: '2026-03-01' }, { from: '2026-01-30', to: '2026-03-01' }],
    [{ to: '0001-01-05' }, { from: '0001-01-01', to: '0001-01-05' }],
    [
      { from: '2024-02-29', to: '2024-02-29' },
      { from: '2024-02-29', to: '2024-02-29' },
    ],
    [
      { from: '2025-11-20', to: '2026-11-21' },
      { from: '2025-11-20', to: '2026-11-21' },
    ],
  ])('%j resolves', (written, resolved) => {
    expect(resolveWindow(written, '2026-11-21', 366)).toEqual(resolved);
  });

  test.each([
    [{ from: '2026-11-22' }, 'window_inverted'],
    [{ from: '2025-11-19' }, 'window_too_wide'],
    [{ from: '2026-02-30' }, 'invalid_date'],
    [{ to: '2025-02-29' }, 'invalid_date'],
    [{ to: '2026-13-01' }, 'invalid_date'],
    [{ from: '0000-01-01', to: '0000-01-02' }, 'invalid_date'],
  ])('%j is refused with %s', (written, code) => {
    expect(attempt(() => resolveWindow(written, '2026-11-21', 366))).toEqual([
      { path: 'from/to', code, message: expect.any(String) },
    ]);
  });
});

describe('prompt bodies', () => {
  test('text_immutable comes before any other error of a patch', () => {
    expect(refusal(updatePrompt.body, { text: null }).code).toBe('text_immutable');
    expect(refusal(updatePrompt.body, { text: 'x', countries: ['U'] }).code).toBe('text_immutable');
  });

  test('empty_patch for a body without one of the four fields', () => {
    expect(paths(updatePrompt.body, { name: 'x' })).toEqual([':empty_patch']);
  });

  test('tags: characters and bytes after trimming, at most 50, without duplicates', () => {
    expect(updatePrompt.body.parse({ tags: [' a', 'a ', 'b'] })).toEqual({ tags: ['a', 'b'] });
    expect(paths(updatePrompt.body, { tags: ['漢'.repeat(86)] })).toEqual(['tags.0:too_big']);
    expect(updatePrompt.body.parse({ tags: ['漢'.repeat(85)] }).tags).toHaveLength(1);
    expect(paths(updatePrompt.body, { tags: ['x'.repeat(101)] })).toEqual(['tags.0:too_big']);
    expect(paths(updatePrompt.body, { tags: ['  '] })).toEqual(['tags.0:too_small']);
    expect(paths(updatePrompt.body, { tags: ['a\tb'] })).toEqual(['tags.0:invalid_format']);
    expect(paths(updatePrompt.body, { tags: Array(51).fill('a') })).toEqual(['tags:too_big']);
  });

  test('countries are in upper case without duplicates, platforms without duplicates', () => {
    const body = { text: ' best shoes ', countries: ['us', 'US', 'de'], platforms: ['claude', 'claude'] };
    expect(createPrompt.body.parse(body)).toEqual({
      text: 'best shoes',
      countries: ['US', 'DE'],
      platforms: ['claude'],
    });
    expect(paths(createPrompt.body, { ...body, countries: [] })).toEqual(['countries:too_small']);
    expect(paths(createPrompt.body, { ...body, platforms: ['bard'] })).toEqual(['platforms.0:invalid_value']);
    expect(paths(createPrompt.body, { ...body, text: '  ' })).toEqual(['text:too_small']);
    expect(paths(createPrompt.body, { ...body, text: 'a\u0000' })).toEqual(['text:invalid_format']);
    expect(paths(createPrompt.body, { ...body, text: '\ud800' })).toEqual(['text:invalid_format']);
  });

  test('duplicate_prompt_text lists each text once, ignoring case and surrounding space', () => {
    const row = (text: string) => ({ text, countries: ['US'] });
    const prompts = [row('Straße'), row('STRASSE '), row('b'), row('B'), row('b'), row('c')];
    expect(refusal(syncPrompts.body, { prompts })).toEqual({
      code: 'duplicate_prompt_text',
      details: { texts: ['Straße', 'b'] },
    });
    const capital = { prompts: [row('Große Straße'), row('GROẞE STRAẞE')] };
    expect(refusal(syncPrompts.body, capital)).toMatchObject({ details: { texts: ['Große Straße'] } });
    // The dotless i is a separate letter.
    const turkish = { prompts: [row('sınır'), row('sinir'), row('ΟΔΟΣ'), row('οδος')] };
    expect(refusal(syncPrompts.body, turkish)).toMatchObject({ details: { texts: ['ΟΔΟΣ'] } });
    // ΐ in upper case is three characters, which NFC composes to two.
    const greek = { prompts: [row('ταΐζω'), row('ταΐζω'.toUpperCase()), row('ταϊζω')] };
    expect(refusal(syncPrompts.body, greek)).toMatchObject({ details: { texts: ['ταΐζω'] } });
    expect(paths(syncPrompts.body, { prompts: [row('a'), { text: 'b', countries: ['USA'] }] })).toEqual([
      'prompts.1.countries.0:invalid_format',
    ]);
  });
});

describe('property bodies', () => {
  test.each(['', '  ', 'ac\nme.com', 'acme.com\u0000', 'acme.com/\u0007', '\ud800.com'])(
    '%j is an invalid domain',
    (domain) => {
      expect(paths(createProperty.body, { name: 'Acme', domain })).toEqual(['domain:invalid_domain']);
      expect(
        paths(createProperty.body, { name: 'A', domain: 'a.com', competitors: [{ name: 'B', domain }] }),
      ).toEqual(['competitors.0.domain:invalid_domain']);
    },
  );
});

describe('lines of an import', () => {
  const line = {
    brand_id: '5e9d6b1c-6a3e-4c9a-8f5d-0b1f4f0c7a11',
    prompt_id: '5e9d6b1c-6a3e-4c9a-8f5d-0b1f4f0c7a12',
    platform: 'claude',
    country: 'us',
    run_date: '2026-11-20',
    outcome: 'answered',
    brands: [],
    sources: [],
  };

  test('accept values that can be stored and queried', () => {
    expect(ImportedUnit.parse(line).country).toBe('US');
    const found = { brand_id: line.brand_id, position: null, sentiment: null };
    const brands = Array.from({ length: 252 }, () => ({ ...found }));
    expect(ImportedUnit.parse({ ...line, brands: brands.slice(1) }).brands).toHaveLength(251);
    expect(paths(ImportedUnit, { ...line, brands })).toEqual(['brands:too_big']);
    expect(paths(ImportedUnit, { ...line, country: 'ß'.repeat(129) })).toEqual(['country:too_big']);
    expect(paths(ImportedUnit, { ...line, run_date: '0000-02-01' })).toEqual(['run_date:invalid_format']);
    expect(paths(ImportedUnit, { ...line, sources: [{ url: 'https://a.com/\u0000' }] })).toEqual([
      'sources.0.url:invalid_format',
    ]);
    expect(paths(ImportedUnit, { ...line, sources: [{ url: 'ftp://a.com/' }] })).toEqual([
      'sources.0.url:invalid_format',
    ]);
    for (const url of [
      'example.com/page',
      '/relative',
      'no url',
      'https://a b.com',
      'https://a.com:99999/',
    ]) {
      expect(paths(ImportedUnit, { ...line, sources: [{ url }] })).toEqual(['sources.0.url:invalid_format']);
    }
    const late = '9999-12-31T23:59:59.9999999Z';
    expect(paths(ImportedUnit, { ...line, finalized_at: late })).toEqual(['finalized_at:invalid_format']);
    const last = '9999-12-31T23:59:59.9999994Z';
    expect(ImportedUnit.parse({ ...line, finalized_at: last }).finalized_at).toBe(last);
  });
});

test('every operator list can return invalid_cursor, every write invalid_json', () => {
  for (const op of operatorOperations) {
    expect(op.errors.includes('invalid_cursor')).toBe(op.success.kind === 'list');
    expect(op.errors.includes('invalid_json')).toBe(op.method !== 'GET');
  }
});

describe('webhook bodies', () => {
  test('the two creations are strict', () => {
    expect(paths(createWebhookEndpoint.body, { url: 'https://a.example', zip: 1 })).toEqual([
      'zip:unrecognized_keys',
    ]);
    expect(paths(createSubscription.body, { event_type: 'scan.completed', zap: 1 })).toEqual([
      'zap:unrecognized_keys',
    ]);
  });

  test('a threshold is required for threshold events and rejected for others', () => {
    expect(paths(createSubscription.body, { event_type: 'score.threshold_crossed' })).toEqual([
      'threshold:invalid_type',
    ]);
    expect(paths(createSubscription.body, { event_type: 'scan.completed', threshold: 5 })).toEqual([
      'threshold:invalid_value',
    ]);
  });

  test.each([
    [{ event_type: 'score.changed', metric: 'position' }, ['metric:invalid_value']],
    [{ event_type: 'score.changed', window_days: 14 }, ['window_days:invalid_value']],
    [{ event_type: 'score.changed', window_days: '7' }, ['window_days:invalid_value']],
    [
      { event_type: 'score.changed', threshold: 5, direction: 'up' },
      ['threshold:invalid_value', 'direction:invalid_value'],
    ],
    [
      { event_type: 'score.threshold_crossed', threshold: 5, metric: 'score', window_days: 7 },
      ['metric:invalid_value', 'window_days:invalid_value'],
    ],
    [
      { event_type: 'scan.completed', metric: 'score', country: 'DE' },
      ['country:invalid_value', 'metric:invalid_value'],
    ],
  ])('each event type accepts its own members only: %j', (body, refused) => {
    expect(paths(createSubscription.body, body)).toEqual(refused);
  });
});
