import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  findIdempotencyKey,
  updateIdempotencyAnswer,
  updateIdempotencyReleased,
} from '../db/idempotency-keys.ts';
import type { IdempotencyKeyId, IdempotencyRow } from '../db/idempotency-keys.ts';
import { createOwedSettlements } from './owed-settlements.ts';
import type { AnswerSeal } from './sealed-answers.ts';

type KeyedRequest = IdempotencyKeyId & { operation: string; fingerprint: Buffer };
export type KeptAnswer = { status: number; contentType: string; body: Buffer };

/** The right to run the request, and what is to become of the key afterwards. */
export type HeldClaim = {
  /** The same for every attempt of the request, so that the service does the work once. */
  operationId: string;
  store(answer: KeptAnswer): Promise<void>;
  /** The same request may come again at once, under the same operation id. */
  release(): Promise<void>;
  /** The key was not consumed. */
  drop(): Promise<void>;
};

export type IdempotencyStore = {
  /** The claim or the stored answer; throws the conflict there is. */
  claim(request: KeyedRequest): Promise<{ held: HeldClaim } | { replay: KeptAnswer }>;
  /** Settles what could not be settled while the database was away. */
  payOwed(): Promise<void>;
};

type StoreOptions = { pool: Pool; seal: AnswerSeal; leaseMs: number; log: Logger };

const claimAttempts = 5;

export function createIdempotencyStore({ pool, seal, leaseMs, log }: StoreOptions): IdempotencyStore {
  const owed = createOwedSettlements();
  const hold = (id: IdempotencyKeyId, operationId: string, claimId: string): HeldClaim => {
    const release = (): Promise<void> => updateIdempotencyReleased(pool, id, claimId);
    const store = async ({ status, contentType, body }: KeptAnswer): Promise<void> => {
      const sealed = seal.seal(id, body);
      const stored = await updateIdempotencyAnswer(pool, id, claimId, { status, contentType, ...sealed });
      if (stored === 0) log.warn({ operationId }, 'the claim was taken over; this answer is not kept');
    };
    return {
      operationId,
      // An answer is not held in memory for later: the service has its own record of it.
      store: (answer) => owed.settle(claimId, () => store(answer), release),
      release: () => owed.settle(claimId, release),
      drop: () => owed.settle(claimId, () => deleteIdempotencyKey(pool, id, claimId)),
    };
  };
  const replayOf = (id: IdempotencyKeyId, row: IdempotencyRow): KeptAnswer => {
    const { status, content_type: contentType, key_id: keyId, body: sealed } = row;
    if (status === null || contentType === null || keyId === null || sealed === null) {
      throw new ApiError('idempotency_key_in_flight');
    }
    const body = seal.open(id, keyId, sealed);
    if (body === undefined) {
      const cause = new Error(
        `a stored response cannot be decrypted: IDEMPOTENCY_KEYS has no valid key ${keyId}`,
      );
      throw new ApiError('api_unavailable', { cause });
    }
    return { status, contentType, body };
  };
  return {
    claim: async (request) => {
      // The row that is in the way may go or be released before it is read: then the key is free, and the claim is tried again.
      for (let attempt = 0; attempt < claimAttempts; attempt += 1) {
        const claimId = randomUUID();
        const claim = { ...request, operationId: randomUUID(), claimId, leaseMs };
        // Whether a claim whose answer was lost was made nobody knows; nothing runs under it.
        const claimed = await claimIdempotencyKey(pool, claim).catch((error: unknown) => {
          owed.owe(claimId, () => updateIdempotencyReleased(pool, request, claimId));
          throw error;
        });
        if (claimed !== undefined) return { held: hold(request, claimed.operation_id, claimId) };
        const row = await findIdempotencyKey(pool, request);
        // A claim that only could not be settled while the database was away does not run any more.
        if (row === undefined || (await owed.payFor(row.claim_id))) continue;
        if (!row.fingerprint.equals(request.fingerprint)) throw new ApiError('idempotency_key_reuse');
        if (row.released) continue;
        return { replay: replayOf(request, row) };
      }
      throw new ApiError('idempotency_key_in_flight');
    },
    payOwed: () => owed.pay(),
  };
}
