import { randomUUID } from 'node:crypto';
import { ApiError, operatorCreatePartner, operatorUpdatePartner } from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { insertPartner, updatePartnerStatus } from '../db/partners.ts';
import { publishPartner } from '../events/publish.ts';
import { presentPartner } from './present.ts';

export function operatorCreatePartnerRoute({ pool }: Context): Route {
  return route(operatorCreatePartner, async ({ body }) => {
    return transaction(pool, async (tx) => {
      const partner = await insertPartner(tx, randomUUID(), body.name);
      return { data: presentPartner(partner), eventIds: [await publishPartner(tx, partner)] };
    });
  });
}

export function operatorUpdatePartnerRoute({ pool }: Context): Route {
  return route(operatorUpdatePartner, async ({ params, body }) => {
    return transaction(pool, async (tx) => {
      const partner = await updatePartnerStatus(tx, params.partnerId, body.status);
      if (partner === undefined) throw new ApiError('not_found');
      return { data: presentPartner(partner), eventIds: [await publishPartner(tx, partner)] };
    });
  });
}
