import type { Counters } from './counters.ts';
import { rateLimiterUnavailable } from './counters.ts';

export type AllowanceReply = {
  state: 'ok' | 'address_blocked' | 'rate' | 'quota' | 'lease' | 'wait' | 'late' | 'lost';
  nowMs: number;
  /** Requests of the minute, including this one. */
  count: number;
  /** 202611 for November 2026. */
  month: number;
  minute: number;
};

/** How long one gateway has the exclusive right to lease a block. Afterwards another gateway may lease it. */
const leasingMs = 500;

/** Calls a charging script with the deadline after which it must not charge. Throws `rate_limit_unavailable`. */
export async function callAllowance(
  counters: Counters,
  script: 'chargeRequest' | 'chargeMonth',
  keys: readonly string[],
  ...args: (string | number)[]
): Promise<AllowanceReply> {
  const { clock, timeoutMs } = counters;
  // One late reply can mean that the clock of Redis was changed. The second attempt uses its new time.
  for (let attempts = 0; attempts < 2; attempts += 1) {
    const deadline = Math.floor(clock.now() + timeoutMs);
    const reply = readReply(await counters.call(script, keys, deadline, leasingMs, ...args));
    clock.sync(reply.nowMs);
    if (reply.state === 'lost') throw counters.reportLost();
    if (reply.state !== 'late') return reply;
  }
  throw rateLimiterUnavailable(new Error('Redis replied after the deadline'));
}

function readReply(raw: unknown): AllowanceReply {
  const [state, nowMs, count = 0, month = 0, minute = 0] = raw as [AllowanceReply['state'], ...number[]];
  if (nowMs === undefined) throw rateLimiterUnavailable(new Error('the reply of Redis contains no time'));
  return { state, nowMs, count, month, minute };
}
