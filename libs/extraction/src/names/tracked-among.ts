import { fold } from '../text/fold.ts';
import { visibleName } from '../text/visible-text.ts';
import { matcherFor } from './brand-matcher.ts';
import { nameKey } from './name-key.ts';
import type { TrackedBrand } from './tracked-brand.ts';

type OwnNames = { keys: ReadonlySet<string>; brands: readonly TrackedBrand[] };

/** What all calls with an array of brands share. The array never changes. */
const known = new WeakMap<readonly TrackedBrand[], OwnNames>();

/** Those of the names that are a spelling of a tracked brand, or have one as a whole-word part ("Acme Cloud"). */
export function trackedAmong(
  names: readonly string[],
  brands: readonly TrackedBrand[],
  language = 'en',
): ReadonlySet<string> {
  if (names.length === 0 || brands.length === 0) return new Set();
  const own = readOwnNames(brands);
  // All names are one text, a name a line: they are searched at once.
  const text = visibleName(names.map((name) => name.replace(/\s+/g, ' ')).join('\n'));
  const starts = matcherFor(own.brands, language)(text, fold(text), language)
    .flatMap((spans) => spans.map(({ start }) => start))
    .toSorted((a, b) => a - b);
  let end = -1;
  let next = 0;
  const tracked = names.filter((name) => {
    end = text.indexOf('\n', end + 1);
    const first = next;
    while ((starts[next] ?? Infinity) < (end === -1 ? text.length : end)) next += 1;
    return next > first || own.keys.has(nameKey(name));
  });
  return new Set(tracked);
}

/** A brand's rules say where it is mentioned. Its name is its own under any rules. */
function readOwnNames(brands: readonly TrackedBrand[]): OwnNames {
  const found = known.get(brands);
  if (found !== undefined) return found;
  const keys = new Set(brands.flatMap(({ name, aliases }) => [name, ...aliases].map(nameKey)));
  const hasRules = brands.some(({ match }) => match !== undefined);
  const own = { keys, brands: hasRules ? brands.map(({ match: _, ...brand }) => brand) : brands };
  known.set(brands, own);
  return own;
}
