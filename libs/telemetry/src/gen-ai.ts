import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Metrics } from './metrics.ts';
import { untraced, withSpan } from './tracing.ts';

/**
 * Names of the GenAI conventions of OpenTelemetry. They are not stable: the project recommends to copy them instead of a
 * dependency on its package.
 */
const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tokenType: 'gen_ai.token.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
} as const;

/** Buckets of the conventions, in seconds and in tokens. */
const durationBuckets = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);

export type GenAiCall = {
  /** A platform or the LLM judge. It is not part of the conventions: two of them may use one provider. */
  platform: string;
  operation: 'chat' | 'generate_content' | 'retrieval';
  /** A name of the conventions, or the vendor of search results. */
  provider: 'anthropic' | 'dataforseo' | 'gcp.gemini' | 'openai' | 'perplexity' | 'serpapi';
  /** Null: the request names no model. */
  model: string | null;
  /** Only its host and port are recorded: paths and queries may contain keys. */
  url: string;
};

/** `model`: the one that answered; null if it is not stated. Without tokens, the usage is not stated. */
export type GenAiReply = { model: string | null; inputTokens: number; outputTokens: number };

type Readers<T> = { reply: (value: T) => GenAiReply; errorType: (error: unknown) => string };

export type GenAi = {
  /** Runs `send` with a span and metrics. Its HTTP requests have no spans and pass no trace context to the provider. */
  observe<T>(call: GenAiCall, send: () => Promise<T>, readers: Readers<T>): Promise<T>;
};

/** A served model is text of a provider. */
const maxModelLength = 100;
/** Further ones are counted together, because a provider could state another name each time. */
const maxServedModels = 100;

export function createGenAi(metrics: Metrics): GenAi {
  const { durations, tokens } = createInstruments(metrics);
  const served = new Set<string>();
  const toModelLabel = (model: string): string => {
    if (served.size < maxServedModels) served.add(model);
    return served.has(model) ? model : '_OTHER';
  };
  const recordTokens = (labels: Record<string, string>, { inputTokens, outputTokens }: GenAiReply): void => {
    tokens.observe({ ...labels, [toLabel(names.tokenType)]: 'input' }, inputTokens);
    tokens.observe({ ...labels, [toLabel(names.tokenType)]: 'output' }, outputTokens);
  };
  return {
    observe: async (call, send, { reply: readReply, errorType: readErrorType }) => {
      const labels = toLabels(call);
      const outcome = await withSpan(
        toSpanName(call),
        toAttributes(call),
        async (span) => {
          const startedAt = performance.now();
          const record = (more: Record<string, string>): void =>
            durations.observe({ ...labels, ...more }, (performance.now() - startedAt) / 1_000);
          try {
            const value = await untraced(send);
            const reply = bounded(readReply(value));
            span.setAttributes(toReplyAttributes(reply));
            const model: Record<string, string> =
              reply.model === null ? {} : { [toLabel(names.responseModel)]: toModelLabel(reply.model) };
            record(model);
            if (hasUsage(reply)) recordTokens({ ...labels, ...model }, reply);
            return { value };
          } catch (error) {
            const errorType = readErrorType(error);
            span.setAttribute(names.errorType, errorType).setStatus({ code: SpanStatusCode.ERROR });
            record({ [toLabel(names.errorType)]: errorType });
            // Not thrown inside the span, which would record the message: it may quote a prompt.
            return { error };
          }
        },
        { kind: SpanKind.CLIENT },
      );
      if ('value' in outcome) return outcome.value;
      throw outcome.error;
    },
  };
}

function createInstruments(metrics: Metrics) {
  const labelNames = [
    'platform',
    ...[names.operation, names.provider, names.requestModel, names.responseModel].map(toLabel),
  ];
  const durations = metrics.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Duration of calls of AI models, by the GenAI conventions of OpenTelemetry.',
    labelNames: [...labelNames, toLabel(names.errorType)],
    buckets: durationBuckets,
  });
  const tokens = metrics.histogram({
    name: 'gen_ai_client_token_usage',
    help: 'Input and output tokens of calls of AI models, by the GenAI conventions of OpenTelemetry.',
    labelNames: [...labelNames, toLabel(names.tokenType)],
    buckets: tokenBuckets,
  });
  return { durations, tokens };
}

/** The name of an attribute as a Prometheus label. */
const toLabel = (name: string): string => name.replaceAll('.', '_');

const toSpanName = ({ operation, model }: GenAiCall): string =>
  model === null ? operation : `${operation} ${model}`;

function toLabels({ platform, operation, provider, model }: GenAiCall): Record<string, string> {
  return {
    platform,
    [toLabel(names.operation)]: operation,
    [toLabel(names.provider)]: provider,
    ...(model === null ? {} : { [toLabel(names.requestModel)]: model }),
  };
}

function toAttributes({ platform, operation, provider, model, url }: GenAiCall): Attributes {
  const { hostname, port, protocol } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return {
    platform,
    [names.operation]: operation,
    [names.provider]: provider,
    ...(model === null ? {} : { [names.requestModel]: model }),
    [names.serverAddress]: hostname,
    [names.serverPort]: port === '' ? defaultPort : Number(port),
  };
}

function toReplyAttributes(reply: GenAiReply): Attributes {
  const { model, inputTokens, outputTokens } = reply;
  return {
    ...(model === null ? {} : { [names.responseModel]: model }),
    ...(hasUsage(reply) ? { [names.inputTokens]: inputTokens, [names.outputTokens]: outputTokens } : {}),
  };
}

const bounded = (reply: GenAiReply): GenAiReply => ({
  ...reply,
  model: reply.model === null ? null : reply.model.slice(0, maxModelLength),
});

/** Every call has input. A negative or infinite number would falsify the sums. */
function hasUsage({ inputTokens, outputTokens }: GenAiReply): boolean {
  return inputTokens > 0 && outputTokens >= 0 && Number.isFinite(inputTokens + outputTokens);
}
