let cachedMs = Number.NaN;
let text = '';

/** `toISOString` that caches the last millisecond, because many log lines have the same time. */
export function isoTime(ms: number): string {
  if (ms !== cachedMs) text = new Date(ms).toISOString();
  cachedMs = ms;
  return text;
}
