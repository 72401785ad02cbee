import { nameKey } from '@bv/extraction';
import { byDomain, listedCategory } from './source-category.ts';

export type NameKind = 'brand' | 'publisher' | 'marketplace' | 'unknown';

const byKey = new Map(
  Array.from(byDomain, ([domain, category]) => [nameKey(domain.replace(/\..*/s, '')), category]),
);

/** What a discovered name is, by its domain or by a well-known domain that has its name. */
export function nameKind({ key, domain }: { key: string; domain: string | null }): NameKind {
  const category = byKey.get(key) ?? (domain === null ? undefined : listedCategory(domain));
  if (category === undefined) return 'unknown';
  if (category === 'other') return 'brand';
  return category === 'ecommerce' ? 'marketplace' : 'publisher';
}
