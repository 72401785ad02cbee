import { describe, expect, test } from '@jest/globals';
import type { EventData } from './define-event.ts';
import { parseStrictly } from './define-event.ts';
import { events, findEvent } from './registry.ts';
import type { AnyEvent } from './registry.ts';

const id = '3f2b8f0e-54a1-4c3c-9a52-0f4f1f5d7a10';
const time = '2026-11-21T03:00:00.123456Z';
const units = { total: 3, answered: 1, no_answer: 1, failed: 1 };
const ref = { id, name: 'Acme', domain: 'acme.example', external_ref: null };

/** One event of each type, as it lies in streams and outboxes: what a change of a schema must go on reading. */
const samples: { [E in AnyEvent as E['type']]: EventData<E> } = {
  'catalog.org.changed.v1': {
    id,
    name: 'Acme Ltd',
    tier: 'enterprise',
    api_access: true,
    on_demand_scans: true,
    limits: { prompts: null, own_brands: 3, countries: 5, competitors_per_brand: 5, manual_scans: 10 },
    retention: { answer_text_days: 90, unit_days: null },
    created_at: time,
    updated_at: time,
    deleted_at: null,
    purge_requested_at: null,
  },
  'catalog.brand.changed.v1': {
    ...ref,
    org_id: id,
    aliases: ['ACME'],
    match: { case_sensitive: true, exclude: ['acme of perfection'], verify: false },
    is_own: true,
    geography: 'global',
    sunset_at: time,
    created_at: time,
    updated_at: time,
    competitors: [{ id, name: 'Bolt', domain: 'bolt.example' }],
  },
  'catalog.prompt.changed.v1': {
    id,
    org_id: id,
    brand_id: id,
    text: 'best anvils',
    tags: ['tools'],
    countries: ['US', 'DE'],
    platforms: ['perplexity', 'ai_overviews'],
    active: false,
    source: 'sync',
    created_by_key_id: id,
    created_at: time,
    updated_at: time,
  },
  'gateway.link.changed.v1': {
    partner_id: id,
    org_id: id,
    scope: 'read_write',
    external_ref: 'their-7',
    active: true,
    updated_at: time,
  },
  'gateway.partner.changed.v1': { id, name: 'Agency', status: 'suspended', updated_at: time },
  'scans.unit.finalised.v1': {
    unit_id: id,
    job_id: id,
    org_id: id,
    brand_id: id,
    prompt_id: id,
    platform: 'gemini',
    country: 'US',
    run_date: '2026-11-21',
    finalized_at: time,
    outcome: 'answered',
    answer_text: 'Acme makes the best anvils.',
    answer_truncated: false,
    model: 'some-model-2026-10',
    search_used: true,
    localization: 'native',
    search_queries: ['best anvils 2026'],
    sentiment_method: 'llm',
    mention_method: 'words',
    method_version: '4',
    brands: [
      {
        brand_id: id,
        name: 'Acme',
        domain: 'acme.example',
        is_own: true,
        mentioned: true,
        mention_count: 1,
        position: 1,
        sentiment: 87.5,
        cited: true,
        evidence: [{ start: 0, end: 4 }],
        means_brand: null,
      },
    ],
    sources: [
      { position: 1, url: 'https://acme.example/anvils', domain: 'acme.example', title: null, cited: true },
    ],
    sources_unresolved: 2,
  },
  'scans.job.changed.v1': {
    job_id: id,
    org_id: id,
    brand_id: id,
    status: 'partial',
    trigger: 'scheduled',
    run_date: '2026-11-21',
    idempotency_key: 'key',
    units,
    platforms: ['claude'],
    countries: ['US'],
    queued_at: time,
    started_at: time,
    completed_at: null,
  },
  'results.brand.changed.v1': { brand_id: id, org_id: id, changed_at: time },
  'results.experiment.completed.v1': {
    org_id: id,
    brand_id: id,
    brand: ref,
    experiment: {
      id,
      brand_id: id,
      name: 'New comparison page',
      metric: 'mention_rate',
      status: 'completed',
      preregistered: true,
      registered_at: time,
      starts_on: '2026-10-10',
      pre: { from: '2026-09-12', to: '2026-10-09' },
      post: { from: '2026-10-17', to: '2026-11-13' },
      treated: { prompt_ids: [id], tags: ['crm'] },
      control: { prompt_ids: [id], tags: [] },
      platforms: ['gemini'],
      countries: null,
      note: null,
      design: { treated_prompts: 5, control_prompts: 5, smallest_detectable: 12.5 },
      result: {
        treated: { before: 20, after: 40, units_before: 140, units_after: 140, prompts: 5 },
        control: { before: 20, after: 25, units_before: 140, units_after: 140, prompts: 5 },
        effect: { value: 15, low: 5, high: 25, confidence: 0.95 },
        p_value: 0.0079,
        placebo: { p_value: null },
        pre_trend: { value: 1, low: -3, high: 5 },
        verdict: 'up',
        reasons: ['model_changed'],
        final: true,
      },
    },
  },
  'results.scan.scored.v1': {
    job_id: id,
    org_id: id,
    brand_id: id,
    brand: ref,
    trigger: 'manual',
    status: 'completed',
    run_date: '2026-11-21',
    queued_at: time,
    started_at: time,
    completed_at: time,
    units,
    platforms: ['chatgpt'],
    countries: ['US'],
    changed_at: time,
    series: [
      {
        country: null,
        score: { value: 71.43, previous: null, change: null },
        sentiment: { value: 50, previous: 62.5, change: -12.5 },
        share_of_voice: 33.33,
        change_verdict: 'no_evidence',
      },
    ],
    newest_days: [
      {
        country: null,
        run_date: '2026-11-21',
        score: { value: 71.43, earlier: null },
        sentiment: { value: 50, earlier: 62.5 },
      },
    ],
  },
};

/** Messages of earlier releases lack them. */
const addedFields = new Set(['sources_unresolved']);

describe.each(events.map((event) => [event.type, event] as const))('%s', (type, event) => {
  const sample: object = samples[type];

  test('is found by its type and belongs to the source its type names', () => {
    expect(findEvent(type)).toBe(event);
    expect(type.split('.')[0]).toBe(event.source);
  });

  test('reads what was ever written, and passes over what it does not know', () => {
    expect(event.data.parse(sample)).toEqual(sample);
    expect(event.data.parse({ ...sample, of_the_future: 1 })).toEqual(sample);
  });

  test('is published with known fields alone, at any depth', () => {
    expect(parseStrictly(event, sample)).toEqual(sample);
    expect(() => parseStrictly(event, { ...sample, of_the_future: 1 })).toThrow('no field of_the_future');
    for (const [key, value] of Object.entries(sample)) {
      const [first] = Array.isArray(value) ? value : [value];
      if (typeof first !== 'object' || first === null) continue;
      const planted = Array.isArray(value) ? [{ ...first, planted: 1 }] : { ...first, planted: 1 };
      expect(() => parseStrictly(event, { ...sample, [key]: planted })).toThrow('planted');
    }
  });

  test('misses every field that is left out', () => {
    for (const key of Object.keys(sample)) {
      expect(event.data.safeParse({ ...sample, [key]: undefined }).success).toBe(addedFields.has(key));
    }
  });
});

test('no two events share a type', () => {
  expect(new Set(events.map(({ type }) => type)).size).toBe(events.length);
});
