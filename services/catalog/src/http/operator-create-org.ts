import { operatorCreateOrg as operation } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { createOrg } from '../commands/change-org.ts';
import type { Context } from '../context.ts';
import { presentOperatorOrg } from './present.ts';

export const operatorCreateOrgRoute = ({ pool }: Context) =>
  route(operation, async ({ body }) => {
    const { org, eventIds } = await transaction(pool, (tx) => createOrg(tx, body));
    return { data: presentOperatorOrg(org), eventIds };
  });
