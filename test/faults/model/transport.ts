import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../harness/client.ts';
import type { System } from '../harness/system.ts';
import type { Expected } from './rules.ts';
import type { Via } from './steps.ts';

export type Call = { method: string; path: string; key: string; body?: unknown };
type Sent = Call & { idempotencyKey?: string };
export type Transport = {
  send: (sent: Sent, options?: { lostAfterMs?: number }) => Promise<ApiResponse | undefined>;
  operate: System['operate'];
};

const maxWaitMs = 20_000;

export function createTransport(system: System): Transport {
  return {
    operate: (...call) => system.operate(...call),
    send: async ({ method, path, key, body, idempotencyKey }, { lostAfterMs } = {}) => {
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      try {
        return await system.call(method, path, { key, body, headers, timeoutMs: lostAfterMs ?? maxWaitMs });
      } catch (error) {
        if (lostAfterMs === undefined) throw error;
        return undefined;
      }
    },
  };
}

export const toOutcome = ({ status, body }: ApiResponse): string =>
  status < 300 ? 'ok' : String(body?.error?.code ?? status);

const toComparable = ({ status, body }: ApiResponse): unknown => ({ status, ...body, request_id: undefined });

/** Sends a write as `via` says, and checks the rules of repetition that hold for every write. */
export async function write(
  { send }: Transport,
  call: Call,
  via: Via,
  { edge = false }: Pick<Expected, 'edge'>,
): Promise<ApiResponse> {
  const sendOrFail = async (sent: Sent): Promise<ApiResponse> => (await send(sent)) ?? fail('no response');
  if (via === 'once') return sendOrFail(call);
  const keyed = { ...call, idempotencyKey: randomUUID() };
  const lost = typeof via === 'number';
  const first =
    (lost ? await send(keyed, { lostAfterMs: via }) : undefined) ??
    (await retryWhileInFlight(sendOrFail, keyed));
  const second = await sendOrFail(keyed);
  if (!isDeepStrictEqual(toComparable(first), toComparable(second)))
    fail(`repeated: ${first.text} then ${second.text}`);
  const replayed = second.headers.get('idempotent-replayed') === 'true';
  if (replayed === edge) fail(`${toOutcome(second)} was ${replayed ? '' : 'not '}replayed`);
  if (via === 'changed' && !edge) {
    const other = toOutcome(await sendOrFail({ ...keyed, path: `${keyed.path}?changed=true` }));
    if (other !== 'idempotency_key_reuse') fail(`another request under the same key: ${other}`);
  }
  return first;
}

/** Retries while the first request, whose connection was cut, is still in flight. */
async function retryWhileInFlight(
  send: (sent: Sent) => Promise<ApiResponse>,
  sent: Sent,
): Promise<ApiResponse> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const response = await send(sent);
    if (toOutcome(response) !== 'idempotency_key_in_flight') return response;
    if (Date.now() > deadline) fail('the first request of a key never ends');
    await sleep(20);
  }
}

export function fail(why: string): never {
  throw new Error(why);
}
