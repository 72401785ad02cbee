import { ApiError } from '@bv/contract';
import type { Caller } from '@bv/http';
import type { Queryable, Transaction } from '@bv/postgres';
import { type EndpointRow, findEndpoint, lockEndpoint } from '../db/endpoints.ts';

/** Returns the id of the calling partner. Other callers are rejected with `partner_only`, as by the gateway. */
export function requirePartnerId(caller: Caller): string {
  if (caller.owner.kind !== 'partner') throw new ApiError('partner_only');
  return caller.owner.id;
}

/** Returns the endpoint, or rejects with `not_found`: unknown, deleted, or of another partner. */
export async function requireEndpoint(
  db: Queryable,
  key: { id: string; partnerId: string },
): Promise<EndpointRow> {
  return found(await findEndpoint(db, key));
}

/** Like `requireEndpoint`, and locks the endpoint. `partnerId: null` is for the operator: any endpoint matches. */
export async function requireLockedEndpoint(
  tx: Transaction,
  key: { id: string; partnerId: string | null },
): Promise<EndpointRow> {
  return found(await lockEndpoint(tx, key));
}

function found(endpoint: EndpointRow | undefined): EndpointRow {
  if (endpoint === undefined) throw new ApiError('not_found');
  return endpoint;
}
