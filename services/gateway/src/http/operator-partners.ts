import { randomUUID } from 'node:crypto';
import {
  ApiError,
  operatorCreatePartner,
  operatorGetPartner,
  operatorListPartners,
  operatorUpdatePartner,
} from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import {
  countPartnerAccess,
  findPartner,
  insertPartner,
  listPartners,
  updatePartnerStatus,
} from '../db/partners.ts';
import { publishPartner } from '../publish/publish.ts';
import { presentPartner } from './present.ts';

export function operatorCreatePartnerRoute({ pool }: Context): Route {
  return route(operatorCreatePartner, async ({ body }) => {
    return transaction(pool, async (tx) => {
      const partner = await insertPartner(tx, randomUUID(), body.name);
      return { data: presentPartner(partner), eventIds: [await publishPartner(tx, partner)] };
    });
  });
}

export function operatorListPartnersRoute({ pool, cursors }: Context): Route {
  return route(operatorListPartners, async ({ query }) => {
    const page = parsePage(cursors, { operation: operatorListPartners.id, collection: [] }, query);
    const rows = await listPartners(pool, { afterId: toIdPosition(page), limit: page.limit + 1 });
    return buildPage(cursors, page, { rows, toSortKey: ({ id }) => [id], present: presentPartner });
  });
}

export function operatorGetPartnerRoute({ pool }: Context): Route {
  return route(operatorGetPartner, async ({ params }) => {
    const partner = await findPartner(pool, params.partnerId);
    if (partner === undefined) throw new ApiError('not_found');
    return { data: { ...presentPartner(partner), ...(await countPartnerAccess(pool, partner.id)) } };
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
