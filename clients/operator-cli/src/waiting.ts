import type { Terminal } from './terminal.ts';

const delayMs = 1_000;

/** Reports a wait of more than a second: a running count on a terminal, otherwise one line. */
export async function showWaiting<T>(terminal: Terminal, what: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let shown = false;
  const show = (): void => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    if (terminal.isInteractive) terminal.note(`\r${what} … ${seconds} s`);
    else if (!shown) terminal.note(`${what} …\n`);
    shown = true;
  };
  const timer = setInterval(show, delayMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (shown && terminal.isInteractive) terminal.note('\r\u001b[2K');
  }
}
