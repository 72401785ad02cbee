import { randomUUID } from 'node:crypto';
import { operatorCreatePartner } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { insertPartner } from '../db/partners.ts';
import { publishPartner } from '../events/publish.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentPartner } from './present.ts';

export const operatorCreatePartnerRoute = ({ pool }: OperationsContext) =>
  route(operatorCreatePartner, async ({ body }) => {
    return transaction(pool, async (tx) => {
      const partner = await insertPartner(tx, randomUUID(), body.name);
      return { data: presentPartner(partner), eventIds: [await publishPartner(tx, partner)] };
    });
  });
