import AhoCorasick from 'modern-ahocorasick';

/** A folded text to search for, and the values that belong to it. */
type Entry<T> = {
  text: string;
  values: T[];
  /** The longest other entry that the text starts with. */
  shorter: Entry<T> | null;
};

export type Hit<T> = { start: number; end: number; value: T };

/** A text longer than this is searched by its start. The rest is compared where the start occurs. */
const maxStart = 32;
const plainStart = new RegExp(String.raw`^[ -~]{${maxStart + 1}}`);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns a search for many texts in one pass. Its automaton has a state for each character of the starts only, so that
 * long texts cost no more than short ones.
 */
export function searchFor<T extends { text: string }>(values: readonly T[]): (text: string) => Hit<T>[] {
  const entries = Array.from(
    Map.groupBy(values, (value) => value.text),
    ([text, each]): Entry<T> => ({ text, values: each, shorter: null }),
  );
  const groups = Map.groupBy(entries, ({ text }) => startOf(text));
  for (const group of groups.values()) link(group);
  const automaton = new AhoCorasick<Entry<T>[]>(Array.from(groups, ([pattern, data]) => ({ pattern, data })));
  return (text) => {
    const hits: Hit<T>[] = [];
    for (const { start, data: group = [] } of automaton.search(text)) {
      for (let entry = closest(group, text, start); entry !== null; entry = entry.shorter) {
        if (!text.startsWith(entry.text, start)) continue;
        const end = start + entry.text.length;
        for (const value of entry.values) hits.push({ start, end, value });
      }
    }
    return hits;
  };
}

/** The start of a text, up to 32 code units. The automaton finds whole graphemes only. */
function startOf(text: string): string {
  if (text.length <= maxStart) return text;
  if (plainStart.test(text)) return text.slice(0, maxStart);
  let end = 0;
  for (const { index } of graphemes.segment(text.slice(0, 2 * maxStart))) {
    if (index > maxStart) break;
    end = index;
  }
  return end === 0 ? text : text.slice(0, end);
}

/** Orders the texts of a group and links each to the next shorter one that it starts with. */
function link<T>(group: Entry<T>[]): void {
  group.sort((a, b) => (a.text < b.text ? -1 : 1));
  let shorter: Entry<T> | null = null;
  for (const entry of group) {
    while (shorter !== null && !entry.text.startsWith(shorter.text)) shorter = shorter.shorter;
    entry.shorter = shorter;
    shorter = entry;
  }
}

/**
 * The last entry of a group that is not greater than the text at a place. Every entry that occurs there is this one or
 * one that it starts with.
 */
function closest<T>(group: readonly Entry<T>[], text: string, start: number): Entry<T> | null {
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const written = group[middle]?.text ?? '';
    if (written <= text.slice(start, start + written.length)) low = middle + 1;
    else high = middle;
  }
  return group[low - 1] ?? null;
}
