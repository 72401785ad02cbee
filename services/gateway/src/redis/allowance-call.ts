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
  // Late once may only mean that Redis's clock was set; its reading is known by then.
  for (let attempts = 0; attempts < 2; attempts += 1) {
    const deadline = Math.floor(clock.now() + timeoutMs);
    const reply = readReply(await counters.call(script, keys, deadline, leasingMs, ...args));
    clock.learn(reply.nowMs);
    if (reply.state === 'lost') throw counters.lost();
    if (reply.state !== 'late') return reply;
  }
  throw uncountable(new Error('Redis answers after the deadline'));
}

function readReply(raw: unknown): AllowanceReply {
  const [state, nowMs, count = 0, month = 0, minute = 0] = raw as [AllowanceReply['state'], ...number[]];
  if (nowMs === undefined) throw uncountable(new Error('no time in the answer of Redis'));
  return { state, nowMs, count, month, minute };
}
