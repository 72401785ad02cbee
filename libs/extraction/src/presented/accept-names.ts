import type { Candidate } from './candidates.ts';

/** A candidate with how much speaks for it alone. `letters` are those of its name. */
export type RatedName = Candidate & { name: string; letters: string; own: number };

const groupWeight = 0.6;
const minGroup = -1.5;
const maxGroup = 1.2;
const threshold = 0.5;
/** What stands at the start of items in so many lists is an attribute: "Pros", "Price". */
const maxLists = 3;

/** The candidates that are names, by themselves and by the others of their group, in the order of the text. */
export function acceptNames(rated: readonly RatedName[]): RatedName[] {
  const groups = new Map<string, { count: number; sum: number }>();
  const lists = new Map<string, Set<string>>();
  for (const { group, own, kind, letters } of rated) {
    const known = groups.get(group) ?? { count: 0, sum: 0 };
    groups.set(group, { count: known.count + 1, sum: known.sum + own });
    if (kind !== 'item' && kind !== 'plain item' && kind !== 'bold') continue;
    const places = lists.get(letters);
    if (places === undefined) lists.set(letters, new Set([group]));
    else places.add(group);
  }
  return rated
    .filter(({ own, group, letters }) => {
      if ((lists.get(letters)?.size ?? 0) >= maxLists) return false;
      const { count, sum } = groups.get(group) ?? { count: 1, sum: own };
      const others = count === 1 ? 0 : (sum - own) / (count - 1);
      return own + groupWeight * Math.max(minGroup, Math.min(maxGroup, others)) >= threshold;
    })
    .toSorted((a, b) => a.start - b.start);
}
