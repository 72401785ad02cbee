import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseClaim } from '../db/quota-leases.ts';
import type { Access } from '../domain/access.ts';
import { leaseBlock } from '../domain/quota.ts';
import { callAllowance } from './allowance-call.ts';
import type { AllowanceReply } from './allowance-call.ts';
import type { Counters } from './counters.ts';
import { uncountable } from './counters.ts';

export type ClaimBlock = (claim: LeaseClaim) => Promise<number>;

const longestWaitMs = 1_000;

/** Follows a charge until the month has given the request its unit (true) or has none left (false). */
export async function settleMonth(
  counters: Counters,
  claimBlock: ClaimBlock,
  access: Access,
  first: AllowanceReply,
): Promise<boolean> {
  const giveUpAt = performance.now() + longestWaitMs;
  let reply = first;
  while (reply.state === 'wait') {
    // Another request is leasing the next block.
    if (performance.now() > giveUpAt) throw uncountable(new Error('the next block is not leased'));
    await sleep(2 + Math.random() * 8);
    reply = await callAllowance(counters, 'chargeMonth', access.keyId);
  }
  if (reply.state === 'lease') return leaseBlockFor(counters, claimBlock, access, reply.month);
  return reply.state === 'ok';
}

/** The unit of the request that leases never travels through Redis; the rest of the block does. */
async function leaseBlockFor(
  counters: Counters,
  claimBlock: ClaimBlock,
  { keyId, monthlyQuota }: Access,
  month: number,
): Promise<boolean> {
  const quota = monthlyQuota ?? 0;
  const granted = await claimBlock({ keyId, month, quota, block: leaseBlock(quota) }).catch((cause) => {
    throw uncountable(cause);
  });
  const spent = granted === 0 ? 1 : 0;
  const rest = Math.max(0, granted - 1);
  // A Redis that is gone by now loses the rest of the block; the request itself is paid for.
  await counters.call('depositLease', `rl:${keyId}`, month, rest, spent).catch(() => undefined);
  return granted > 0;
}
