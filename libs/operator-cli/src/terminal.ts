import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';

/** Where a command reads and speaks: the process itself, or a test. */
export type Terminal = {
  input: Readable;
  /** Results. */
  say: (text: string) => void;
  /** Everything that is not the result, so that a pipe gets the result alone. */
  note: (text: string) => void;
  /** Whether notes are read by a person as they come. */
  isInteractive: boolean;
  /** Characters of a line of the results; undefined where that is no limit. */
  width: number | undefined;
  /** Reads a person's reply to a question; undefined without a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
};

const { stdin, stdout, stderr } = process;

export const processTerminal: Terminal = {
  input: stdin,
  say: (text) => void stdout.write(text),
  note: (text) => void stderr.write(text),
  isInteractive: stderr.isTTY,
  width: stdout.isTTY ? stdout.columns : undefined,
  ask: stdin.isTTY && stderr.isTTY ? askOnTerminal : undefined,
};

/** An input that ends is no reply. */
function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    void lines.question(question).then((reply) => {
      resolve(reply);
      lines.close();
    });
  });
}
