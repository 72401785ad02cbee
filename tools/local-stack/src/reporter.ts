/** Reports progress: one line, or a short text of several lines. */
export type Reporter = (text: string) => void;

/** Prefixes each text with the seconds since the start. */
export function createReporter(write: (text: string) => void): Reporter {
  const started = performance.now();
  return (text) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
    const [first = '', ...more] = text.split('\n');
    write([`${seconds} s  ${first}`, ...more.map((line) => `          ${line}`.trimEnd()), ''].join('\n'));
  };
}
