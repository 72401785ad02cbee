import { ApiError, operatorUpdatePartner } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { updatePartnerStatus } from '../db/partners.ts';
import { publishPartner } from '../events/publish.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentPartner } from './present.ts';

export const operatorUpdatePartnerRoute = ({ pool }: OperationsContext) =>
  route(operatorUpdatePartner, async ({ params, body }) => {
    return transaction(pool, async (tx) => {
      const partner = await updatePartnerStatus(tx, params.partnerId, body.status);
      if (partner === undefined) throw new ApiError('not_found');
      return { data: presentPartner(partner), eventIds: [await publishPartner(tx, partner)] };
    });
  });
