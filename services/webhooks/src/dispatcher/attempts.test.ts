import { expect, jest, test } from '@jest/globals';
import { createSecretKey } from 'node:crypto';
import { eventually } from '@bv/testkit';
import type { LeasedDelivery } from '../db/leases.ts';
import type { AttemptContext } from './attempt.ts';
import { Attempts } from './attempts.ts';
import type { LeasedBatch } from './lease.ts';

/** Attempts that end at once, because their URL is refused. Each function in `stored` stores the outcome of one. */
function startAttempts(perProcess: number) {
  const stored: (() => void)[] = [];
  const ctx = {
    config: { WEBHOOKS_PER_PROCESS: perProcess, WEBHOOKS_TOTAL_TIMEOUT_MS: 1_000 },
    now: () => new Date(),
    metrics: { attempted: () => undefined, inFlight: () => undefined, outcomeLost: () => undefined },
    logAttempt: () => undefined,
    recordOutcome: () => new Promise<boolean>((resolve) => stored.push(() => resolve(true))),
    log: console,
  } as unknown as AttemptContext;
  const attempts = new Attempts(ctx, new AbortController().signal, () => undefined);
  return { attempts, stored };
}

const delivery = (index: number, endpointId = 'e'): LeasedDelivery => ({
  id: `d${index}`,
  event_id: `v${index}`,
  endpoint_id: endpointId,
  partner_id: 'p',
  is_ping: false,
  attempts: 1,
  schedule_attempts: 1,
  lease_token: `t${index}`,
  body: '{}',
  traceparent: null,
  url: 'not a url',
  generation: 1,
  allowed: true,
});

const batchOf = (deliveries: LeasedDelivery[]): LeasedBatch => ({
  deliveries,
  keys: new Map(deliveries.map(({ endpoint_id: id }) => [id, [createSecretKey(Buffer.alloc(32))]])),
  slots: new Map([['p', 4]]),
  leaseEndsAt: performance.now() + 60_000,
  undecryptable: [],
  isFull: false,
});

test('deliveries are prefetched after an attempt has ended, until one waits too long', async () => {
  const { attempts } = startAttempts(8);
  const ahead = () => attempts.takeSlots()?.byPartner.get('p')?.sentWhileWaiting ?? 0;
  attempts.add({ ...batchOf([delivery(1)]), slots: new Map([['p', 1]]) });
  expect(ahead()).toBe(0);
  await eventually(() => expect(attempts.endedTokens()).toEqual(['t1']));
  expect(ahead()).toBeGreaterThan(0);
  attempts.add({ ...batchOf([delivery(2)]), slots: new Map([['p', 0]]) });
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 1_001);
  expect(attempts.takeUnsent()).toMatchObject([{ id: 'd2' }]);
  clock.mockRestore();
  expect(ahead()).toBe(0);
});

test('nothing is leased while four outcomes per slot wait for the database', async () => {
  const { attempts, stored } = startAttempts(1);
  attempts.add(batchOf(Array.from({ length: 4 }, (_, index) => delivery(index))));
  await eventually(() => expect(stored).toHaveLength(4));
  attempts.add(batchOf([]));
  expect(attempts.takeSlots()).toBeUndefined();
  for (const store of stored) store();
  await eventually(() => expect(attempts.endedTokens()).toEqual([]));
  expect(attempts.takeSlots()).toMatchObject({ free: 1 });
});

test('deliveries of a lease start with one of each endpoint', async () => {
  const { attempts } = startAttempts(4);
  attempts.add(batchOf([delivery(1, 'a'), delivery(2, 'a'), delivery(3, 'b'), delivery(4, 'b')]));
  await eventually(() => expect(attempts.endedTokens()).toEqual(['t1', 't3', 't2', 't4']));
});
