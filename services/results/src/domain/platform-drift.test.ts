import { expect, test } from '@jest/globals';
import { listDriftKinds, listDrifts, type PlatformShape } from './platform-drift.ts';

const usual: PlatformShape = {
  units: 100,
  answered: 95,
  sourced: 80,
  unresolved: 2,
  unnamed: 0,
  largest_domain: 20,
  with_text: 95,
  text_bytes: 1_000,
};
const before = Array<PlatformShape>(14).fill(usual);

test.each([
  ['no_answer', { answered: 50, sourced: 42, with_text: 50, largest_domain: 10 }],
  ['sources', { sourced: 32, largest_domain: 8 }],
  ['unresolved_links', { unresolved: 60 }],
  ['largest_source', { largest_domain: 70 }],
  ['text_length', { text_bytes: 500 }],
  ['no_model', { unnamed: 95 }],
] as const)('%s', (kind, change) => {
  expect(listDriftKinds({ ...usual, ...change }, before)).toEqual([kind]);
});

test('a domain that more answers cite than scans have is all of them', () => {
  expect(listDriftKinds({ ...usual, largest_domain: 120 }, before)).toEqual(['largest_source']);
});

test('a drift on neighbouring days is one, by platform and kind', () => {
  const day = (run_date: string, ...drift: ('sources' | 'no_model')[]) => ({
    platform: 'gemini' as const,
    run_date,
    drift,
  });
  const days = [
    day('2026-10-31', 'sources'),
    day('2026-11-01', 'sources', 'no_model'),
    day('2026-11-03', 'sources'),
  ];
  expect(listDrifts([...days, { ...day('2026-11-02', 'sources'), platform: 'claude' }])).toEqual([
    { platform: 'gemini', from: '2026-10-31', kind: 'sources' },
    { platform: 'gemini', from: '2026-11-01', kind: 'no_model' },
    { platform: 'gemini', from: '2026-11-03', kind: 'sources' },
    { platform: 'claude', from: '2026-11-02', kind: 'sources' },
  ]);
});
