import { ApiError, operatorCreatePartnerKey } from '@bv/contract';
import { route } from '@bv/http';
import { mintPartnerKey } from '../commands/mint-key.ts';
import { findPartner } from '../db/partners.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentMintedKey } from './present.ts';

export const operatorCreatePartnerKeyRoute = (context: OperationsContext) =>
  route(operatorCreatePartnerKey, async ({ params, body }) => {
    // Partners are never deleted, so the partner still exists when the key is inserted.
    const partner = await findPartner(context.pool, params.partnerId);
    if (partner === undefined) throw new ApiError('not_found');
    return { data: presentMintedKey(await mintPartnerKey(context, params.partnerId, body)) };
  });
