/** Where a command reads and speaks: the process itself, or a test. */
export type Terminal = {
  input: AsyncIterable<Uint8Array>;
  /** Results. */
  say: (text: string) => void;
  /** Everything that is not the result, so that a pipe gets the result alone. */
  note: (text: string) => void;
  /** Whether notes are read by a person as they come. */
  isInteractive: boolean;
};

export const processTerminal: Terminal = {
  input: process.stdin,
  say: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
};
