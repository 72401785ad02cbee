import { expect, test } from '@jest/globals';
import { formatView, parseView } from './view.ts';

test('an address has what differs from the defaults, and gives the same view again', () => {
  const view = {
    ...parseView(''),
    brand: '86dbae73',
    market: 'DE',
    platform: 'claude' as const,
    window: '28d' as const,
    gap: false,
  };
  const address = formatView(view);
  expect(address).toBe('/explore?brand=86dbae73&market=DE&platform=claude&window=28d&gap=false');
  expect(parseView(new URL(address, 'http://localhost').search)).toEqual(view);
  expect(formatView(parseView(''))).toBe('/explore');
});

test('values that the page does not know are ignored', () => {
  expect(parseView('?window=1y&platform=bing&metric=luck&by=mood&gap=maybe')).toEqual(parseView(''));
});
