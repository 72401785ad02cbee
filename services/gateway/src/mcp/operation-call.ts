import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { ApiError } from '@bv/contract';
import type { ErrorEnvelope, Operation, ResponseData } from '@bv/contract';
import type { z } from 'zod';
import type { EdgeContext } from '../context.ts';
import { observeEnd } from '../edge/access-log.ts';
import { chargeAllowance } from '../edge/charge-allowance.ts';
import { noBody } from '../edge/exchange.ts';
import type { EdgeRequest, Exchange } from '../edge/exchange.ts';
import type { HeaderLines } from '../edge/header-lines.ts';
import { publicPipeline, runPipeline } from '../edge/pipeline.ts';
import { MemoryResponse } from './memory-response.ts';

/** Path and query parameters of an operation, and its body. */
export type OperationInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  idempotencyKey?: string | undefined;
};

/** An error response of an operation. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly envelope: z.infer<typeof ErrorEnvelope>;
  readonly retryAfter: string | undefined;

  constructor({ statusCode, headers }: MemoryResponse, envelope: Refusal['envelope']) {
    super(envelope.error.code);
    this.status = statusCode;
    this.envelope = envelope;
    this.retryAfter = headers['retry-after']?.toString();
  }
}

type Page<Row> = { data: Row; pagination?: { next_cursor: string | null } };

/** The first operation of a tool is paid by the charge of its message. */
const paidPipeline = publicPipeline.filter((step) => step !== chargeAllowance);

/** Belongs to no connection. */
const noSocket = new Socket();

/**
 * Calls operations in this process with the key of a request to `/mcp`. Each call passes the steps of the public
 * pipeline, so that it is authenticated, charged, logged and refused like a request over HTTP.
 */
export class OperationCalls {
  readonly #outer: Exchange;
  readonly #ctx: EdgeContext;
  readonly #signal: AbortSignal;
  #isFirst = true;
  /** Whether rows were omitted because the result would be too long. */
  isCut = false;

  constructor(outer: Exchange, ctx: EdgeContext, signal: AbortSignal) {
    this.#outer = outer;
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /** The day now, UTC. */
  get today(): string {
    return this.#ctx.now().toISOString().slice(0, 10);
  }

  /** Returns `data` of the response. Throws `Refusal` for an error response, `ApiError` after the deadline. */
  async call<O extends Operation>(operation: O, input: OperationInput): Promise<ResponseData<O>> {
    const { data } = await this.#send<ResponseData<O>>(operation, input);
    return data;
  }

  /**
   * Reads pages until the list ends, has `maxRows` rows or is as long as a result may be. Pages with large rows end early:
   * then it reads a few more. Keeps only what `present` returns of a row.
   */
  async list<O extends Operation, Row>(
    operation: O,
    input: OperationInput,
    maxRows: number,
    present: (row: ResponseData<O>) => Row,
    maxBytes = maxResultBytes,
  ): Promise<{ rows: Row[]; has_more: boolean }> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    let pagesLeft = Math.ceil(maxRows / maxPageRows) + maxMorePages;
    do {
      pagesLeft -= 1;
      const limit = Math.min(maxPageRows, maxRows - rows.length);
      const query = { ...input.query, limit, cursor };
      const page: Page<ResponseData<O>[]> = await this.#send(operation, { ...input, query });
      rows.push(...page.data.map(present));
      cursor = page.pagination?.next_cursor ?? undefined;
      const fitting = this.fit(rows, maxBytes);
      if (fitting.length < rows.length) return { rows: fitting, has_more: true };
    } while (cursor !== undefined && rows.length < maxRows && pagesLeft > 0);
    return { rows, has_more: cursor !== undefined };
  }

  /** The first rows, as many as a result may have. */
  fit<Row>(rows: readonly Row[], maxBytes = maxResultBytes): Row[] {
    let bytes = 0;
    const end = rows.findIndex((row) => (bytes += Buffer.byteLength(JSON.stringify(row))) > maxBytes);
    if (end === -1) return [...rows];
    this.isCut = true;
    return rows.slice(0, end);
  }

  async #send<Data>(operation: Operation, input: OperationInput): Promise<Page<Data>> {
    if (this.#signal.aborted) throw new ApiError('api_unavailable');
    const isPaid = this.#isFirst;
    this.#isFirst = false;
    const response = new MemoryResponse();
    const abort = (): void => void response.destroy();
    this.#signal.addEventListener('abort', abort, { once: true });
    try {
      const exchange = this.#open(operation, input, response);
      if (isPaid) exchange.chargedMonth = this.#outer.chargedMonth;
      const ended = finished(response);
      const pipeline = isPaid ? paidPipeline : publicPipeline;
      await Promise.all([runPipeline(pipeline, exchange, this.#ctx), ended]);
      this.#copyRateLimit(exchange);
    } catch (cause) {
      throw new ApiError('api_unavailable', { cause });
    } finally {
      this.#signal.removeEventListener('abort', abort);
    }
    const envelope = response.readJson();
    if (response.statusCode >= 400) throw new Refusal(response, envelope as Refusal['envelope']);
    return envelope as Page<Data>;
  }

  #open(operation: Operation, input: OperationInput, response: MemoryResponse): Exchange {
    const { lines, request: outerRequest, peerAddress, mcp } = this.#outer;
    const { body, idempotencyKey } = input;
    const request = new IncomingMessage(noSocket);
    request.headers = {
      ...('x-forwarded-for' in outerRequest.headers && {
        'x-forwarded-for': outerRequest.headers['x-forwarded-for'],
      }),
    };
    const target = { method: operation.method, url: toUrl(operation, input) };
    const requestId = randomUUID();
    const ownLines: HeaderLines = {
      ...(lines.authorization && { authorization: lines.authorization }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': [idempotencyKey] }),
    };
    const exchange: Exchange = {
      request: Object.assign<IncomingMessage, typeof target>(request, target) satisfies EdgeRequest,
      response,
      requestId,
      startedAt: performance.now(),
      lines: ownLines,
      // The body is here already, so no step reads one.
      declaresBody: false,
      incomingBody: undefined,
      body: body === undefined ? noBody : { raw: Buffer.from(JSON.stringify(body)), json: body },
      peerAddress,
      route: undefined,
      headers: { 'x-request-id': requestId },
      address: '',
      presentedKey: '',
      access: undefined,
      chargedMonth: null,
      idempotencyKey: null,
      acquiredKey: undefined,
      replayed: false,
      mcp,
      errorCode: undefined,
      hasResponse: false,
    };
    observeEnd(exchange, this.#ctx);
    return exchange;
  }

  /** The response to the message describes the allowance after its last operation. */
  #copyRateLimit({ headers }: Exchange): void {
    for (const [name, value] of Object.entries(headers)) {
      if (name.startsWith('x-ratelimit-')) this.#outer.headers[name] = value;
    }
  }
}

/** Keeps a result below 20,000 tokens: a token of JSON has two bytes or more. */
export const maxResultBytes = 36_000;
const maxPageRows = 200;
const maxMorePages = 4;

function toUrl({ path }: Operation, { params = {}, query = {} }: OperationInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, String(value));
  return `/v1${filled}${sent.size === 0 ? '' : `?${sent.toString()}`}`;
}
