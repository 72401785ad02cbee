import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdSerializers } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { isoTime } from './iso-time.ts';
import { redactLine } from './redact.ts';

export type Logger = PinoLogger;

export type LoggerOptions = {
  service: string;
  /** A pino level, or `silent`. */
  level: string;
  /** Coloured lines for a terminal instead of JSON. */
  pretty?: boolean;
  /** Defaults to the version of the workspace. */
  version?: string;
  /** Defaults to stdout. */
  destination?: DestinationStream;
};

const releaseVersion = readReleaseVersion();

/** Creates a logger that adds service, version and trace ids to every line and removes secrets. */
export function createLogger(options: LoggerOptions): Logger {
  const { service, level, version = releaseVersion } = options;
  const settings = {
    level,
    base: { service, version },
    timestamp: () => `,"time":"${isoTime(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: stdSerializers.err, error: stdSerializers.err },
    mixin: traceIds,
    hooks: { streamWrite: redactLine },
  };
  return pino(settings, options.destination ?? (options.pretty ? prettyStream() : pino.destination(1)));
}

/** The log fields `trace_id` and `span_id` of the active span. Empty if there is none. */
export function traceIds(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

/** Loaded on demand: production writes JSON and does not need it. */
function prettyStream(): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as (
    options: PrettyOptions,
  ) => DestinationStream;
  return pretty({ sync: true, ignore: 'version', singleLine: true });
}

function readReleaseVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
