import { SpanStatusCode, context, createContextKey, propagation, trace } from '@opentelemetry/api';
import type { Attributes, Span, SpanOptions } from '@opentelemetry/api';

const tracer = trace.getTracer('@bv/telemetry');
/** The SDK's own key, by its name: its package takes long to load for a process that does not trace. */
const suppressed = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Runs `fn` inside a span that ends with it and records what it throws. Free when tracing is off. */
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

/** Runs `fn` as a continuation of the trace the carrier names, or of none. */
export function extractTraceContext<T>(
  carrier: Readonly<Record<string, string | undefined>>,
  fn: () => T,
): T {
  return context.with(propagation.extract(context.active(), carrier), fn);
}

/** `fn`, to run later and from elsewhere, in the trace that is active now. Free when tracing is off. */
export const inTrace = (fn: () => void): (() => void) => context.bind(context.active(), fn);

/** Runs `fn` without spans of its own and without telling anybody it calls of the trace. */
export const untraced = <T>(fn: () => T): T => context.with(context.active().setValue(suppressed, true), fn);
