import { symbols } from 'pino';
import type { DestinationStream } from 'pino';
import { isoTime } from './iso-time.ts';
import type { Logger } from './logger.ts';
import { redactLine } from './redact.ts';

/** `atMs` in milliseconds since the epoch; `fields` are plain JSON values, which no serializer looks at. */
export type Line = { level: 'info' | 'error'; atMs: number; fields: object };

/**
 * Writes lines as `log[level](fields, msg)` would, all in one go: for what is written of every request that is a third
 * of pino's work, and one write instead of many.
 */
export function writeLines(log: Logger, msg: string, lines: readonly Line[]): void {
  const bindings = members(log.bindings());
  const end = `"msg":${JSON.stringify(msg)}}\n`;
  let text = '';
  for (const { level, atMs, fields } of lines) {
    if (!log.isLevelEnabled(level)) continue;
    text += redactLine(`{"level":"${level}","time":"${isoTime(atMs)}",${bindings}${members(fields)}${end}`);
  }
  if (text !== '') streamOf(log).write(text);
}

/** Of an object's JSON what stands between its braces, with a comma behind it; nothing of an empty one. */
function members(fields: object): string {
  const text = JSON.stringify(fields).slice(1, -1);
  return text === '' ? '' : `${text},`;
}

/** pino keeps where it writes under a symbol that it publishes, but does not type. */
function streamOf(log: Logger): DestinationStream {
  return (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym] as DestinationStream;
}
