import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import {
  insertIdempotencyRecord,
  deleteIdempotencyKey,
  findIdempotencyKey,
  updateIdempotencyAnswer,
  updateIdempotencyReleased,
} from '../db/idempotency-keys.ts';
import type { IdempotencyKeyId, IdempotencyRow } from '../db/idempotency-keys.ts';
import { createPendingReleases } from './pending-releases.ts';
import type { ResponseCipher } from './response-cipher.ts';

type KeyedRequest = IdempotencyKeyId & { operation: string; fingerprint: Buffer };
export type StoredResponse = { status: number; contentType: string; body: Buffer };

/** An idempotency key that this request has acquired. Exactly one of the methods ends it. */
export type AcquiredKey = {
  /** The same for every attempt of the request, so that the service does the work once. */
  operationId: string;
  store(response: StoredResponse): Promise<void>;
  /** The same request may be sent again immediately, under the same operation id. */
  release(): Promise<void>;
  /** Deletes the key, which was not consumed. */
  drop(): Promise<void>;
};

export type IdempotencyStore = {
  /** Returns the acquired key or the stored response. Throws the `idempotency_key_…` conflicts. */
  acquire(request: KeyedRequest): Promise<{ acquired: AcquiredKey } | { replay: StoredResponse }>;
  /** Retries releases that failed while the database was unavailable. */
  flushPendingReleases(): Promise<void>;
};

type StoreOptions = { pool: Pool; cipher: ResponseCipher; leaseMs: number; log: Logger };

const maxAttempts = 5;

export function createIdempotencyStore({ pool, cipher, leaseMs, log }: StoreOptions): IdempotencyStore {
  const releases = createPendingReleases();
  const createAcquiredKey = (id: IdempotencyKeyId, operationId: string, attemptId: string): AcquiredKey => {
    const release = (): Promise<void> => updateIdempotencyReleased(pool, id, attemptId);
    const store = async ({ status, contentType, body }: StoredResponse): Promise<void> => {
      const encrypted = cipher.encrypt(id, body);
      const stored = await updateIdempotencyAnswer(pool, id, attemptId, {
        status,
        contentType,
        ...encrypted,
      });
      if (stored === 0)
        log.warn({ operationId }, 'another attempt owns the idempotency key; this response is not stored');
    };
    return {
      operationId,
      // On a failure the key is only released: a retry gets the response that the service recorded.
      store: (response) => releases.runOrEnqueue(attemptId, () => store(response), release),
      release: () => releases.runOrEnqueue(attemptId, release),
      drop: () => releases.runOrEnqueue(attemptId, () => deleteIdempotencyKey(pool, id, attemptId)),
    };
  };
  const toReplay = (id: IdempotencyKeyId, row: IdempotencyRow): StoredResponse => {
    const { status, content_type: contentType, key_id: keyId, body: encrypted } = row;
    if (status === null || contentType === null || keyId === null || encrypted === null) {
      throw new ApiError('idempotency_key_in_flight');
    }
    const body = cipher.decrypt(id, keyId, encrypted);
    if (body === undefined) {
      const cause = new Error(
        `a stored response cannot be decrypted: IDEMPOTENCY_KEYS has no valid key ${keyId}`,
      );
      throw new ApiError('api_unavailable', { cause });
    }
    return { status, contentType, body };
  };
  return {
    acquire: async (request) => {
      // A conflicting row may be deleted or released before it is read. Then the key is free, and the loop tries again.
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const attemptId = randomUUID();
        const record = { ...request, operationId: randomUUID(), attemptId, leaseMs };
        // The insert may have been committed although its result was lost. Nothing runs under it, so it is released.
        const inserted = await insertIdempotencyRecord(pool, record).catch((error: unknown) => {
          releases.enqueue(attemptId, () => updateIdempotencyReleased(pool, request, attemptId));
          throw error;
        });
        if (inserted !== undefined)
          return { acquired: createAcquiredKey(request, inserted.operation_id, attemptId) };
        const row = await findIdempotencyKey(pool, request);
        // The request of a key with a pending release has ended already.
        if (row === undefined || (await releases.flushOne(row.claim_id))) continue;
        if (!row.fingerprint.equals(request.fingerprint)) throw new ApiError('idempotency_key_reuse');
        if (row.released) continue;
        return { replay: toReplay(request, row) };
      }
      throw new ApiError('idempotency_key_in_flight');
    },
    flushPendingReleases: () => releases.flush(),
  };
}
