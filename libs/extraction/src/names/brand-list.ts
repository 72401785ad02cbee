import { createHash } from 'node:crypto';
import { hostNames } from '../text/link-labels.ts';
import type { TrackedBrand } from './tracked-brand.ts';
import { hasAmpersand } from './variants.ts';

export type BrandList = {
  /** Equal for lists with the same names and rules. */
  key: string;
  /** The length of its names and rules. */
  characters: number;
  /** The names that are hosts. */
  hosts: ReadonlySet<string>;
  hasAmpersand: boolean;
};

/** All answers of a scan have the same list, which may have thousands of names. */
const lists = new WeakMap<readonly TrackedBrand[], BrandList>();

/** What all answers of a list of brands share. It is read once for each array, which never changes. */
export function readBrandList(brands: readonly TrackedBrand[]): BrandList {
  const known = lists.get(brands);
  if (known !== undefined) return known;
  const names = brands.flatMap(({ name, aliases }) => [name, ...aliases]);
  const written = writeRules(brands);
  const list = {
    key: createHash('sha256').update(written).digest('base64'),
    characters: written.length,
    hosts: hostNames(names),
    hasAmpersand: names.some(hasAmpersand),
  };
  lists.set(brands, list);
  return list;
}

function writeRules(brands: readonly TrackedBrand[]): string {
  const rules = brands.map(({ name, domain, aliases, match }) => [
    name,
    domain,
    aliases,
    match?.caseSensitive,
    match?.exclude,
  ]);
  return JSON.stringify(rules);
}
