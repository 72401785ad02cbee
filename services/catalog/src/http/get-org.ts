import { ApiError, getOrg as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { findOrg } from '../db/orgs.ts';
import { getOrgUsage } from '../db/usage.ts';
import { toPlan } from '../domain/plan.ts';
import { presentUsage } from './present-usage.ts';

export const getOrgRoute = ({ pool, now }: Context) =>
  route(operation, async ({ params: { orgId }, caller }) => {
    const org = await findOrg(pool, orgId);
    if (!org) throw new ApiError('not_found');
    const { limits } = toPlan(org);
    const used = await getOrgUsage(pool, orgId);
    return {
      data: {
        id: org.id,
        name: org.name,
        link_scope: caller.link?.scope ?? 'owner',
        external_ref: caller.link?.externalRef ?? null,
        created_at: org.created_at,
        tier: org.tier,
        api_access: limits.api_access,
        updated_at: org.updated_at,
        usage: presentUsage(limits, used, now()),
      },
    };
  });
