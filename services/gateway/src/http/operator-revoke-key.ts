import { ApiError, operatorRevokeKey } from '@bv/contract';
import { route } from '@bv/http';
import { updateKeyRevoked } from '../db/api-keys.ts';
import type { OperationsContext } from './operations-context.ts';

/** Takes effect with the commit, because every request reads its key from the database. */
export const operatorRevokeKeyRoute = ({ pool }: OperationsContext) =>
  route(operatorRevokeKey, async ({ params }) => {
    const revoked = await updateKeyRevoked(pool, params.keyId);
    if (!revoked) throw new ApiError('not_found');
    return { data: { id: params.keyId, deleted: true as const } };
  });
