let at = Number.NaN;
let text = '';

/** `toISOString` that formats a millisecond once: lines are written several at a time. */
export function isoTime(ms: number): string {
  if (ms !== at) text = new Date(ms).toISOString();
  at = ms;
  return text;
}
