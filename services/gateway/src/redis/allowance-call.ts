import type { Counters } from './counters.ts';
import { uncountable } from './counters.ts';

export type AllowanceReply = {
  state: 'ok' | 'gate' | 'rate' | 'quota' | 'lease' | 'wait' | 'late' | 'lost';
  nowMs: number;
  /** Requests of the minute, this one included. */
  count: number;
  /** 202611 for November 2026. */
  month: number;
  minute: number;
};

/** How long one gateway has the right to lease; another takes over when it died in between. */
const leasingMs = 500;

/** Calls a charging script with the deadline after which it must not charge. */
export async function callAllowance(
  counters: Counters,
  script: 'chargeRequest' | 'chargeMonth',
  keys: readonly string[],
  ...args: (string | number)[]
): Promise<AllowanceReply> {
  const { clock, timeoutMs } = counters;
  const send = async (): Promise<AllowanceReply> => {
    const deadline = Math.floor(clock.now() + timeoutMs);
    const reply = readReply(await counters.call(script, keys, deadline, leasingMs, ...args));
    clock.learn(reply.nowMs);
    if (reply.state === 'lost') throw counters.lost();
    return reply;
  };
  const first = await send();
  if (first.state !== 'late') return first;
  // Late once may only mean that Redis's clock was set; its reading is known now.
  const second = await send();
  if (second.state === 'late') throw uncountable(new Error('Redis answers after the deadline'));
  return second;
}

function readReply(raw: unknown): AllowanceReply {
  const [state, nowMs, count = 0, month = 0, minute = 0] = raw as [AllowanceReply['state'], ...number[]];
  if (nowMs === undefined) throw uncountable(new Error('no time in the answer of Redis'));
  return { state, nowMs, count, month, minute };
}
