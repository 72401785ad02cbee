/** Headers that have exactly one value. Node joins the lines of some of them and drops lines of others. */
const names = [
  'host',
  'expect',
  'content-type',
  'authorization',
  'content-length',
  'idempotency-key',
  'content-encoding',
  'transfer-encoding',
] as const;
type Name = (typeof names)[number];

const isSingle = (name: string): name is Name => (names as readonly string[]).includes(name);

/** The lines of each of these headers, as sent and in their order. */
export type HeaderLines = Readonly<Partial<Record<Name, readonly string[]>>>;

export function readHeaderLines(rawHeaders: readonly string[]): HeaderLines {
  const lines: Partial<Record<Name, string[]>> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!isSingle(name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    const before = lines[name];
    if (before === undefined) lines[name] = [value];
    else before.push(value);
  }
  return lines;
}

/** The one value of a header: equal lines count as one, and of lines that differ the first is returned. */
export function headerValue(lines: HeaderLines, name: Name): string | undefined {
  return lines[name]?.[0];
}

/** Whether lines of a header differ: which of them a proxy in front has used is unknown. */
export function hasConflict(lines: HeaderLines, name: Name): boolean {
  const values = lines[name];
  return values !== undefined && values.length > 1 && values.some((value) => value !== values[0]);
}
