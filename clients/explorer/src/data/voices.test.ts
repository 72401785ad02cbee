import { expect, test } from '@jest/globals';
import { addShares } from './voices.ts';

const row = (brand_id: string, mentions: number, total_mentions: number) => ({
  run_date: '2026-11-01',
  brand_id,
  name: brand_id,
  domain: 'a.com',
  is_own: brand_id === 'own',
  share_of_voice: 50,
  mentions,
  total_mentions,
  units_answered: 10,
  mention_rate: null,
  average_position: null,
  rank: 1,
});

test('the share of several days divides the sums of mentions', () => {
  // 1 of 2 and 9 of 10: the mean of the shares would be 70.
  const rows = [row('own', 1, 2), row('competitor', 1, 2), row('own', 9, 10), row('competitor', 1, 10)];
  expect(addShares(rows).map(({ name, share, mentions }) => [name, share, mentions])).toEqual([
    ['own', 83.33, 10],
    ['competitor', 16.67, 2],
  ]);
});
