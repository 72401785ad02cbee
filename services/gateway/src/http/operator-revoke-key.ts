import { ApiError, operatorRevokeKey } from '@bv/contract';
import { route } from '@bv/http';
import { updateKeyRevoked } from '../db/api-keys.ts';
import type { OperationsContext } from './operations-context.ts';

/** The commit is all it takes: every request reads its key afresh. */
export const operatorRevokeKeyRoute = ({ pool }: OperationsContext) =>
  route(operatorRevokeKey, async ({ params }) => {
    const revoked = await updateKeyRevoked(pool, params.keyId);
    if (!revoked) throw new ApiError('not_found');
    return { data: { id: params.keyId, deleted: true as const } };
  });
