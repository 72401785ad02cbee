/** JSON with one line for each entry down to a depth: a case, panel or setting is a line that a diff can show. */
export function toJsonLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[\n${value.map((item) => toJsonLines(item, depth - 1)).join(',\n')}\n]`;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = entries.map(([name, field]) => `${JSON.stringify(name)}: ${toJsonLines(field, depth - 1)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
