import { symbols } from 'pino';
import type { DestinationStream } from 'pino';
import { isoTime } from './iso-time.ts';
import type { Logger } from './logger.ts';
import { redactLine } from './redact.ts';

/** `atMs`: milliseconds since the epoch. `fields`: plain JSON values, without serializers. */
export type Line = { level: 'info' | 'error'; atMs: number; fields: object };

/**
 * Writes the same lines as `log[level](fields, msg)`, in one write. For lines of every request this costs a third of
 * pino's CPU time.
 */
export function writeLines(log: Logger, msg: string, lines: readonly Line[]): void {
  const bindings = members(log.bindings());
  const end = `"msg":${JSON.stringify(msg)}}\n`;
  let text = '';
  for (const { level, atMs, fields } of lines) {
    if (!log.isLevelEnabled(level)) continue;
    text += redactLine(`{"level":"${level}","time":"${isoTime(atMs)}",${bindings}${members(fields)}${end}`);
  }
  if (text !== '') getStream(log).write(text);
}

/** The members of an object as JSON without braces, followed by a comma. Empty for an empty object. */
function members(fields: object): string {
  const text = JSON.stringify(fields).slice(1, -1);
  return text === '' ? '' : `${text},`;
}

/** pino stores its destination under an exported symbol that its types do not include. */
function getStream(log: Logger): DestinationStream {
  return (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym] as DestinationStream;
}
