/** Violations counted by rule, with the first examples, because a broken rule is usually broken many times. */
export type Violations = {
  add(rule: string, example: string): void;
  list(): { rule: string; count: number; examples: string[] }[];
};

const maxExamples = 3;

export function createViolations(): Violations {
  const found = new Map<string, { count: number; examples: string[] }>();
  return {
    add: (rule, example) => {
      const entry = found.get(rule) ?? { count: 0, examples: [] };
      entry.count += 1;
      if (entry.examples.length < maxExamples) entry.examples.push(example);
      found.set(rule, entry);
    },
    list: () => [...found].map(([rule, entry]) => ({ rule, ...entry })),
  };
}
