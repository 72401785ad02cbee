import { operatorUpdateOrg as operation } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { changeOrg } from '../commands/change-org.ts';
import type { Context } from '../context.ts';
import { presentOperatorOrg } from './present.ts';

export const operatorUpdateOrgRoute = ({ pool }: Context) =>
  route(operation, async ({ params: { orgId }, body }) => {
    const { org, eventIds } = await transaction(pool, (tx) => changeOrg(tx, orgId, body));
    return { data: presentOperatorOrg(org), eventIds };
  });
