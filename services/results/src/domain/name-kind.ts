import type { DiscoveredBrand } from '@bv/contract';
import { nameKey } from '@bv/extraction';
import { byDomain, listedCategory } from './source-category.ts';

export type NameKind = DiscoveredBrand['kind'];

const byKey = new Map(
  Array.from(byDomain, ([domain, category]) => [nameKey(domain.replace(/\..*/s, '')), category]),
);

type DiscoveredName = { key: string; domain: string | null; judged: NameKind | null };

/** What a discovered name is: by a well-known domain, else by the LLM judge, else a brand if it has a domain. */
export function nameKind({ key, domain, judged }: DiscoveredName): NameKind {
  const known = judged === 'unknown' ? null : judged;
  const category = byKey.get(key) ?? (domain === null ? undefined : listedCategory(domain));
  if (category === undefined) return known ?? 'unknown';
  if (category === 'other') return known ?? 'brand';
  return category === 'ecommerce' ? 'marketplace' : 'publisher';
}
