/** How rows are grouped, and the values of a row. A row of which they are unknown has none. */
type Sets<T> = { toGroup: (row: T) => string; toValues: (row: T) => readonly string[] };

/** Whether a group has another set of values in b than in a. A group without values in one of them does not count. */
export function haveSetsChanged<T>(a: readonly T[], b: readonly T[], sets: Sets<T>): boolean {
  const setsOfA = collectSets(a, sets);
  const setsOfB = collectSets(b, sets);
  return setsOfA.entries().some(([group, values]) => {
    const others = setsOfB.get(group);
    return others !== undefined && !isSameSet(values, others);
  });
}

function collectSets<T>(rows: readonly T[], { toGroup, toValues }: Sets<T>): Map<string, Set<string>> {
  const byGroup = new Map<string, Set<string>>();
  for (const row of rows) {
    const values = toValues(row);
    if (values.length === 0) continue;
    const group = toGroup(row);
    const collected = byGroup.get(group) ?? new Set();
    byGroup.set(group, collected);
    for (const value of values) collected.add(value);
  }
  return byGroup;
}

export const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && a.values().every((value) => b.has(value));
