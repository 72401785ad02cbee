import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';

/** Input and output of a command: those of the process, or of a test. */
export type Terminal = {
  input: Readable;
  /** Prints a result. */
  print: (text: string) => void;
  /** Prints anything else to the standard error, so that a pipe gets only the result. */
  note: (text: string) => void;
  /** Whether a person reads the notes on a terminal. */
  isInteractive: boolean;
  /** Maximum characters of a line of a result. Undefined for no limit. */
  width: number | undefined;
  /** Prints a question and reads the reply. Undefined without a terminal. */
  prompt?: ((question: string) => Promise<string>) | undefined;
};

const { stdin, stdout, stderr } = process;

export const processTerminal: Terminal = {
  input: stdin,
  print: (text) => void stdout.write(text),
  note: (text) => void stderr.write(text),
  isInteractive: stderr.isTTY,
  width: stdout.isTTY ? stdout.columns : undefined,
  prompt: stdin.isTTY && stderr.isTTY ? promptOnTerminal : undefined,
};

/** The end of the input counts as an empty reply. */
function promptOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    void lines.question(question).then((reply) => {
      resolve(reply);
      lines.close();
    });
  });
}
