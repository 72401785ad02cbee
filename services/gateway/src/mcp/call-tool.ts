import { ApiError, errorBody, zodToApiError } from '@bv/contract';
import { z } from 'zod';
import type { EdgeContext } from '../context.ts';
import type { Exchange } from '../edge/exchange.ts';
import { Refusal } from './operation-call.ts';
import type { OperationCalls } from './operation-call.ts';
import type { Tool } from './tool.ts';

export type ToolCall = {
  exchange: Exchange;
  ctx: EdgeContext;
  operations: OperationCalls;
  /** A refusal that becomes the HTTP response. */
  refusal: Pick<Refusal, 'status' | 'envelope' | 'retryAfter'> | undefined;
};

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

/** Runs a tool. Refusals of its operations are tool errors, except 401 and 429. */
export async function callTool(call: ToolCall, { listed, run }: Tool, args: unknown): Promise<ToolResult> {
  const { ctx } = call;
  try {
    if (call.exchange.mcp?.refusal !== undefined) throw call.exchange.mcp.refusal;
    const result = await run(call.operations, args);
    const structuredContent = call.operations.isCut ? { ...result, next_step: nextStep } : result;
    ctx.edgeMetrics.toolCall(listed.name, 'ok');
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    const failure = toFailure(error, call);
    ctx.edgeMetrics.toolCall(listed.name, failure.envelope.error.code);
    if (failure.status === 401 || failure.status === 429) call.refusal = failure;
    return { content: [{ type: 'text', text: toText(failure) }], isError: true };
  }
}

const nextStep =
  'Rows are omitted to stay below 20,000 tokens. Ask for fewer days, one platform or one market. The API returns all rows.';

type Failure = NonNullable<ToolCall['refusal']>;

function toFailure(error: unknown, { exchange, ctx }: ToolCall): Failure {
  if (error instanceof Refusal) return error;
  const { requestId } = exchange;
  const refusal = toApiError(error);
  if (refusal.status >= 500) ctx.log.error({ err: error, requestId }, 'the tool failed');
  const seconds = refusal.retryAfterSeconds;
  return {
    status: refusal.status,
    envelope: errorBody(refusal, requestId),
    retryAfter: seconds === undefined ? undefined : String(seconds),
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof z.ZodError) return zodToApiError(error);
  return new ApiError('internal_error', { cause: error });
}

/** The code first, so that a model and a program can branch on it. */
function toText({ envelope, retryAfter }: Failure): string {
  const { error, request_id } = envelope;
  return [
    `${error.code}: ${error.message}`,
    ...(error.details === undefined ? [] : [`details: ${JSON.stringify(error.details)}`]),
    ...(retryAfter === undefined ? [] : [`retry after ${retryAfter} s`]),
    `request_id: ${request_id}`,
  ].join('\n');
}
