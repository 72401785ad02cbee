import { ApiError, operatorGetOrg as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { findOrg } from '../db/orgs.ts';
import { getOrgUsage } from '../db/usage.ts';
import { toPlan } from '../domain/plan.ts';
import { presentOperatorOrg } from './present.ts';
import { presentUsage } from './present-usage.ts';

export const operatorGetOrgRoute = ({ pool, now }: Context) =>
  route(operation, async ({ params: { orgId } }) => {
    const org = await findOrg(pool, orgId);
    if (!org) throw new ApiError('not_found');
    const usage = presentUsage(toPlan(org).limits, await getOrgUsage(pool, orgId), now());
    return { data: { ...presentOperatorOrg(org), usage } };
  });
