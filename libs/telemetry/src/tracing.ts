import { SpanStatusCode, context, createContextKey, propagation, trace } from '@opentelemetry/api';
import type { Attributes, Span, SpanOptions } from '@opentelemetry/api';

const tracer = trace.getTracer('@bv/telemetry');
/** The SDK's key, by its name. Importing its package would slow down a process that does not trace. */
const suppressed = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Runs `fn` inside a span that records its error. No cost when tracing is off. */
export async function withSpan<T>(
  name: string,
  attributes: Attributes,
  fn: (span: Span) => T | Promise<T>,
  options: Omit<SpanOptions, 'attributes'> = {},
): Promise<T> {
  return tracer.startActiveSpan(name, { ...options, attributes }, async (span) => {
    try {
      return await fn(span);
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Writes the active trace context (`traceparent`, `tracestate`) into the carrier and returns it. */
export function injectTraceContext<Carrier extends Record<string, string>>(carrier: Carrier): Carrier {
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** Runs `fn` in the trace of the carrier, or without a trace if it has none. */
export function extractTraceContext<T>(
  carrier: Readonly<Record<string, string | undefined>>,
  fn: () => T,
): T {
  return context.with(propagation.extract(trace.deleteSpan(context.active()), carrier), fn);
}

/** Binds `fn` to the active trace, for a later call from elsewhere. No cost when tracing is off. */
export const inTrace = (fn: () => void): (() => void) => context.bind(context.active(), fn);

/** Runs `fn` without spans and without passing the trace context to the services it calls. */
export const untraced = <T>(fn: () => T): T => context.with(context.active().setValue(suppressed, true), fn);
