import { ApiError } from '@bv/contract';
import type { Caller } from '@bv/http';

/** Returns the id of the calling partner. Other callers are rejected with `partner_only`, as by the gateway. */
export function requirePartnerId(caller: Caller): string {
  if (caller.owner.kind !== 'partner') throw new ApiError('partner_only');
  return caller.owner.id;
}
