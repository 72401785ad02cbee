import { randomUUID } from 'node:crypto';
import { ApiError, validationError } from '@bv/contract';
import type { RequestBody, operatorCreateOrgKey } from '@bv/contract';
import { transaction } from '@bv/postgres';
import type { Pool, Transaction } from '@bv/postgres';
import { countActiveOrgKeys, insertApiKey } from '../db/api-keys.ts';
import type { ApiKeyRow } from '../db/api-keys.ts';
import { lockOrgAccess } from '../db/org-access.ts';
import { hashKey, getKeyPrefix, mintKey } from '../domain/api-key.ts';
import type { Pepper } from '../domain/api-key.ts';

type KeyInput = RequestBody<typeof operatorCreateOrgKey>;
type Owner = { orgId: string; partnerId: null } | { orgId: null; partnerId: string };
type Minting = { pool: Pool; peppers: readonly Pepper[]; now: () => Date };

/** The key itself exists only here and in the response. */
export type MintedKey = { row: ApiKeyRow; key: string };

const maxActiveKeys = 5;

/** The lock of the organisation makes count and insert atomic under concurrent calls. */
export async function mintOrgKey(minting: Minting, orgId: string, input: KeyInput): Promise<MintedKey> {
  return transaction(minting.pool, async (tx) => {
    const org = await lockOrgAccess(tx, orgId);
    if (org === undefined || org.deleted) throw new ApiError('not_found');
    const active = await countActiveOrgKeys(tx, orgId);
    if (active >= maxActiveKeys) throw new ApiError('key_limit_reached');
    return insertMinted(tx, minting, { orgId, partnerId: null }, input);
  });
}

export async function mintPartnerKey(
  minting: Minting,
  partnerId: string,
  input: KeyInput,
): Promise<MintedKey> {
  return transaction(minting.pool, (tx) => insertMinted(tx, minting, { orgId: null, partnerId }, input));
}

async function insertMinted(
  tx: Transaction,
  { peppers, now }: Minting,
  owner: Owner,
  input: KeyInput,
): Promise<MintedKey> {
  checkExpiry(input.expires_at, now());
  const key = mintKey();
  const [current] = hashKey(key, peppers.slice(0, 1));
  if (current === undefined) throw new Error('no pepper is configured');
  const row = await insertApiKey(tx, {
    ...owner,
    id: randomUUID(),
    keyHash: current.hash,
    pepperId: current.pepperId,
    keyPrefix: getKeyPrefix(key),
    name: input.name ?? null,
    scopes: input.scopes,
    perMinute: input.per_minute,
    monthlyQuota: input.monthly_quota,
    expiresAt: input.expires_at ?? null,
  });
  return { row, key };
}

/** A key that has expired before its first request is a mistake, such as a wrong year. */
function checkExpiry(expiresAt: string | null | undefined, now: Date): void {
  if (expiresAt === null || expiresAt === undefined || Date.parse(expiresAt) > now.getTime()) return;
  throw validationError([
    { path: 'expires_at', code: 'too_small', message: 'Expected a time in the future' },
  ]);
}
