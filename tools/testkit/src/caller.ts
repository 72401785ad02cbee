import { randomUUID } from 'node:crypto';
import { callerHeader, signCaller, type Caller } from '@bv/http';

/** Secret of the services under test, with which test callers are signed. */
export const testCallerSecret = 'test-caller-secret';

/** An organisation key with every scope, valid for a minute. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  const orgId = overrides.orgId === undefined ? randomUUID() : overrides.orgId;
  return {
    requestId: randomUUID(),
    keyId: randomUUID(),
    keyPrefix: 'bvk_live_tes',
    owner: { kind: 'organisation', id: orgId ?? randomUUID() },
    link: { scope: 'owner', externalRef: null },
    scopes: ['read', 'write'],
    operation: 'test',
    operationId: null,
    expiresAt: Date.now() + 60_000,
    ...overrides,
    orgId,
  };
}

export type ServiceCall = {
  method?: string;
  /** With its prefix: `/v1/...` or `/operator/v1/...`. */
  path: string;
  /** `null` sends no caller header. */
  caller?: Caller | null;
  /** Sent as JSON, except for strings, bytes and streams. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type ServiceResponse = { status: number; headers: Headers; body: unknown };

/** Calls a service as the gateway would. */
export async function callService(baseUrl: string, call: ServiceCall): Promise<ServiceResponse> {
  const { method = 'GET', path, caller = testCaller(), body, headers = {} } = call;
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      ...(caller === null ? {} : { [callerHeader]: signCaller(caller, testCallerSecret) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: encodeBody(body), duplex: 'half' }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseBody(text) };
}

/** Strings, bytes and streams are sent as they are, anything else as JSON. */
function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Retries a request that got 503, as a client would, at most five times. Requests that wait for the same lock may wait
 * longer than the three seconds they have for a connection when the machine is busy.
 */
export async function retryUnavailable<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  let response = await send();
  for (let retries = 0; retries < 5 && response.status === 503; retries += 1) response = await send();
  return response;
}
