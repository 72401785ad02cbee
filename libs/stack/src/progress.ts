/** Says one line about what is happening. */
export type Say = (line: string) => void;

/** Lines with the seconds since the start in front, so that a wait is seen for what it is. */
export function createProgress(write: (text: string) => void): Say {
  const started = performance.now();
  return (line) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
    write(`${seconds} s  ${line.replaceAll('\n', '\n          ')}\n`);
  };
}
