import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import {
  insertIdempotencyRecord,
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  updateIdempotencyResponse,
  releaseIdempotencyRecord,
} from '../db/idempotency-keys.ts';
import type { IdempotencyKeyId, IdempotencyRow } from '../db/idempotency-keys.ts';
import { createPendingReleases } from './pending-releases.ts';
import type { PendingReleases } from './pending-releases.ts';
import type { ResponseCipher } from './response-cipher.ts';

type KeyedRequest = IdempotencyKeyId & { operation: string; fingerprint: Buffer };
export type StoredResponse = { status: number; contentType: string; body: Buffer };

/** An idempotency key that this request has acquired. Exactly one of the methods settles it. */
export type AcquiredKey = {
  /** The same for every attempt of the request, so that the service does the work once. */
  operationId: string;
  store(response: StoredResponse): Promise<void>;
  /** The same request may be sent again immediately, under the same operation id. */
  release(): Promise<void>;
  /** Deletes the key, which was not consumed. */
  drop(): Promise<void>;
};

type Outcome = { acquired: AcquiredKey } | { replay: StoredResponse };

export type IdempotencyStore = {
  /** Returns the acquired key or the stored response. Throws the `idempotency_key_…` conflicts. */
  acquire(request: KeyedRequest): Promise<Outcome>;
  /** Retries releases that failed while the database was unavailable. */
  flushPendingReleases(): Promise<void>;
};

type StoreOptions = { pool: Pool; cipher: ResponseCipher; leaseMs: number; log: Logger };
type Store = StoreOptions & { releases: PendingReleases };

const maxAttempts = 5;

export function createIdempotencyStore(options: StoreOptions): IdempotencyStore {
  const store = { ...options, releases: createPendingReleases() };
  return {
    acquire: async (request) => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const outcome = await tryAcquire(store, request);
        if (outcome !== undefined) return outcome;
      }
      throw new ApiError('idempotency_key_in_flight');
    },
    flushPendingReleases: () => store.releases.flush(),
  };
}

/** Undefined when the key has become free meanwhile. */
async function tryAcquire(store: Store, request: KeyedRequest): Promise<Outcome | undefined> {
  const { pool, releases, leaseMs } = store;
  const attemptId = randomUUID();
  const record = { ...request, operationId: randomUUID(), attemptId, leaseMs };
  // The insert may have been committed although its result was lost. Nothing runs under it, so it is released.
  const inserted = await insertIdempotencyRecord(pool, record).catch((error: unknown) => {
    releases.enqueue(attemptId, () => releaseIdempotencyRecord(pool, request, attemptId));
    throw error;
  });
  if (inserted !== undefined) {
    return { acquired: createAcquiredKey(store, request, { attemptId, operationId: inserted.operation_id }) };
  }
  const row = await findIdempotencyRecord(pool, request);
  // The request of a key with a pending release has ended already.
  if (row === undefined || (await releases.flushOne(row.lease_token))) return undefined;
  if (!row.fingerprint.equals(request.fingerprint)) throw new ApiError('idempotency_key_reuse');
  if (row.released) return undefined;
  return { replay: decryptResponse(store, request, row) };
}

function createAcquiredKey(
  { pool, cipher, releases, log }: Store,
  id: IdempotencyKeyId,
  { attemptId, operationId }: { attemptId: string; operationId: string },
): AcquiredKey {
  const release = (): Promise<void> => releaseIdempotencyRecord(pool, id, attemptId);
  const store = async ({ status, contentType, body }: StoredResponse): Promise<void> => {
    const response = { status, contentType, ...cipher.encrypt(id, body) };
    const stored = await updateIdempotencyResponse(pool, id, attemptId, response);
    if (stored === 0)
      log.warn({ operationId }, 'another attempt owns the idempotency key; this response is not stored');
  };
  return {
    operationId,
    // On a failure the key is only released: a retry gets the response that the service recorded.
    store: (response) => releases.runOrEnqueue(attemptId, () => store(response), release),
    release: () => releases.runOrEnqueue(attemptId, release),
    drop: () => releases.runOrEnqueue(attemptId, () => deleteIdempotencyRecord(pool, id, attemptId)),
  };
}

function decryptResponse({ cipher }: Store, id: IdempotencyKeyId, row: IdempotencyRow): StoredResponse {
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
}
