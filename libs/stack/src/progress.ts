/** Says what is happening: a line, or a small text. */
export type Say = (text: string) => void;

/** Lines with the seconds since the start in front, so that a wait is seen for what it is. */
export function createProgress(write: (text: string) => void): Say {
  const started = performance.now();
  return (text) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
    const [first = '', ...more] = text.split('\n');
    write([`${seconds} s  ${first}`, ...more.map((line) => `          ${line}`.trimEnd()), ''].join('\n'));
  };
}
