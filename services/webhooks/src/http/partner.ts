import { ApiError } from '@bv/contract';
import type { Caller } from '@bv/http';

/** The partner a webhook operation acts for. The gateway refuses other keys; so does the service itself. */
export function partnerIdOf(caller: Caller): string {
  if (caller.owner.kind !== 'partner') throw new ApiError('partner_only');
  return caller.owner.id;
}
