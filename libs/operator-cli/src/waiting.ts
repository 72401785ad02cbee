import type { Terminal } from './terminal.ts';

const quietMs = 1_000;

/** Says that a change is still being applied: a running count for people, one line where nobody looks. */
export async function showWaiting<T>(terminal: Terminal, what: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let shown = false;
  const show = (): void => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    if (terminal.isInteractive) terminal.note(`\r${what} … ${seconds} s`);
    else if (!shown) terminal.note(`${what} …\n`);
    shown = true;
  };
  const timer = setInterval(show, quietMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (shown && terminal.isInteractive) terminal.note('\r\u001b[2K');
  }
}
