import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../harness/client.ts';
import type { System } from '../harness/system.ts';
import type { Expected } from './rules.ts';
import type { Via } from './steps.ts';

export type Call = { method: string; path: string; key: string; body?: unknown };
export type Sent = Call & { idempotencyKey?: string };
/** A bug put between the clients and the product. */
export type Planted = {
  name: string;
  /** What it makes of a customer's request. */
  alters?: (sent: Sent) => Sent;
  /** The operator's calls that it answers without doing anything. */
  swallows?: RegExp;
};

export type Transport = {
  send: (sent: Sent, options?: { lostAfterMs?: number }) => Promise<Answer | undefined>;
  operate: System['operate'];
};

const patienceMs = 20_000;

export function createTransport(
  system: System,
  { alters = (sent) => sent, swallows }: Partial<Planted> = {},
): Transport {
  return {
    operate: async (method, path, body) =>
      swallows?.test(path) === true
        ? { ...(await system.operate('GET', '/orgs')), status: 200 }
        : system.operate(method, path, body),
    send: async (wanted, { lostAfterMs } = {}) => {
      const { method, path, key, body, idempotencyKey } = alters(wanted);
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      try {
        return await system.call(method, path, { key, body, headers, timeoutMs: lostAfterMs ?? patienceMs });
      } catch (error) {
        if (lostAfterMs === undefined) throw error;
        return undefined;
      }
    },
  };
}

export const outcomeOf = ({ status, body }: Answer): string =>
  status < 300 ? 'ok' : String(body?.error?.code ?? status);

const told = ({ status, body }: Answer): unknown => ({ status, ...body, request_id: undefined });

/** Sends a write as `via` says. What is said about repetitions holds for every write, so it is checked here. */
export async function write(
  { send }: Transport,
  call: Call,
  via: Via,
  { edge = false }: Pick<Expected, 'edge'>,
): Promise<Answer> {
  const answerOf = async (sent: Sent): Promise<Answer> => (await send(sent)) ?? fail('no answer');
  if (via === 'once') return answerOf(call);
  const keyed = { ...call, idempotencyKey: randomUUID() };
  const lost = typeof via === 'number';
  const first =
    (lost ? await send(keyed, { lostAfterMs: via }) : undefined) ?? (await untilAnswered(answerOf, keyed));
  const second = await answerOf(keyed);
  if (!isDeepStrictEqual(told(first), told(second))) fail(`repeated: ${first.text} then ${second.text}`);
  const replayed = second.headers.get('idempotent-replayed') === 'true';
  if (replayed === edge) fail(`${outcomeOf(second)} was ${replayed ? '' : 'not '}replayed`);
  if (via === 'changed' && !edge) {
    const other = outcomeOf(await answerOf({ ...keyed, path: `${keyed.path}?changed=true` }));
    if (other !== 'idempotency_key_reuse') fail(`another request under the same key: ${other}`);
  }
  return first;
}

/** A request whose connection was cut may still be at work. */
async function untilAnswered(send: (sent: Sent) => Promise<Answer>, sent: Sent): Promise<Answer> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await send(sent);
    if (outcomeOf(answer) !== 'idempotency_key_in_flight') return answer;
    if (Date.now() > deadline) fail('the first request of a key never ends');
    await sleep(20);
  }
}

export function fail(why: string): never {
  throw new Error(why);
}
