import type { Candidate, Group } from './candidates.ts';

/** A candidate with how much speaks for it alone. `letters` are those of its name. */
export type RatedName = Candidate & { name: string; letters: string; own: number };

const groupWeight = 0.8;
const minGroup = -1.5;
/** Headings and bold words of one answer are less alike. */
const minLooseGroup = -0.5;
const maxGroup = 1.6;
const threshold = 0.5;
/** Without others of its kind, a name needs more for it. */
const aloneThreshold = 0.9;
/** What stands at the start of items in so many lists is an attribute: "Pros", "Price". */
const maxLists = 3;
/** The inner list of a name has its attributes. */
const innerBias = -0.8;

type Votes = { count: number; sum: number };

/** The candidates that are names, by themselves and by the others of their group, in the order of the text. */
export function acceptNames(rated: readonly RatedName[]): RatedName[] {
  const votes = new Map<Group, Votes>();
  const lists = new Map<string, Set<Group>>();
  const heads = new Map<number, number>();
  for (const { group, own, kind, letters, start } of rated) {
    const known = votes.get(group);
    if (known === undefined) votes.set(group, { count: 1, sum: own });
    else {
      known.count += 1;
      known.sum += own;
    }
    if (kind !== 'item' && kind !== 'plain item') continue;
    heads.set(start, own);
    const places = lists.get(letters);
    if (places === undefined) lists.set(letters, new Set([group]));
    else places.add(group);
  }
  const isName = ({ own, group, letters, kind }: RatedName): boolean => {
    if ((lists.get(letters)?.size ?? 0) >= maxLists) return false;
    const { count, sum } = votes.get(group) ?? { count: 1, sum: own };
    const others = count === 1 ? 0 : (sum - own) / (count - 1);
    const inner = isInside(group, votes, heads) ? innerBias : 0;
    const min = kind === 'heading' || kind === 'bold' || kind === 'link' ? minLooseGroup : minGroup;
    return (
      own + group.bias + inner + groupWeight * Math.max(min, Math.min(maxGroup, others)) >=
      (others > 0 ? threshold : aloneThreshold)
    );
  };
  return rated.filter(isName).toSorted((a, b) => a.start - b.start);
}

/** Whether a list is inside an item that is a name, or whose siblings are. */
function isInside(
  { parent }: Group,
  votes: ReadonlyMap<Group, Votes>,
  heads: ReadonlyMap<number, number>,
): boolean {
  if (parent === null) return false;
  const isName = (heads.get(parent.start) ?? 0) > 0 || (votes.get(parent.group)?.sum ?? 0) > 0;
  return isName || isInside(parent.group, votes, heads);
}
