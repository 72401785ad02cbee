/** `toISOString` that formats a millisecond once: lines are written several at a time. */
export function createIsoTime(): (ms: number) => string {
  let at = Number.NaN;
  let text = '';
  return (ms) => {
    if (ms !== at) text = new Date(ms).toISOString();
    at = ms;
    return text;
  };
}
