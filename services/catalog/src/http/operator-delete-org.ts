import { operatorDeleteOrg as operation } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { removeOrg } from '../commands/change-org.ts';
import type { Context } from '../context.ts';

export const operatorDeleteOrgRoute = ({ pool }: Context) =>
  route(operation, async ({ params: { orgId } }) => {
    const { eventIds } = await transaction(pool, (tx) => removeOrg(tx, orgId));
    return { data: { id: orgId, deleted: true }, eventIds };
  });
