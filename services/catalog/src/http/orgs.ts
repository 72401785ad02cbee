import { ApiError, getOrg, type OrganisationDetail } from '@bv/contract';
import { callRpc, findAllowanceRpc, type Nats, type RpcReply, RpcUnavailable } from '@bv/events';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { countOwnBrands } from '../db/brands.ts';
import { getMaxCompetitors } from '../db/competitors.ts';
import { findOrg, type OrgRow } from '../db/orgs.ts';
import { getPromptUsage } from '../db/prompts.ts';
import { toPlan } from '../domain/plan.ts';

export const getOrgRoute = (ctx: Context) =>
  route(getOrg, async ({ params: { orgId }, caller }) => {
    const org = await findOrg(ctx.pool, orgId);
    if (!org) throw new ApiError('not_found');
    return {
      data: {
        id: org.id,
        name: org.name,
        link_scope: caller.link?.scope ?? 'owner',
        external_ref: caller.link?.externalRef ?? null,
        created_at: org.created_at,
        tier: org.tier,
        api_access: toPlan(org).limits.api_access,
        updated_at: org.updated_at,
        usage: await readUsage(ctx, org),
      },
    };
  });

/** `manual_scans`, `scan_credits` and `answers` are null while scans does not reply. */
export async function readUsage({ pool, nats }: Context, org: OrgRow): Promise<OrganisationDetail['usage']> {
  const { limits } = toPlan(org);
  const { prompts, countries } = await getPromptUsage(pool, org.id);
  const ownBrands = await countOwnBrands(pool, org.id);
  const maxCompetitors = await getMaxCompetitors(pool, org.id);
  const allowance = await findAllowance(nats, org.id);
  const codes = [...countries.keys()].sort();
  return {
    prompts: { used: prompts, limit: limits.prompts },
    own_brands: { used: ownBrands, limit: limits.own_brands },
    countries: { used: codes.length, limit: limits.countries, codes },
    competitors_per_brand: { limit: limits.competitors_per_brand, max_used: maxCompetitors },
    manual_scans: allowance && toManualScans(allowance, limits.manual_scans),
    scan_credits: allowance?.scan_credits ?? null,
    answers: allowance?.answers ?? null,
  };
}

type Allowance = RpcReply<typeof findAllowanceRpc>;

/** Asks the owner instead of a projection, so that a read includes every earlier scan and credit. */
async function findAllowance(nats: Nats, orgId: string): Promise<Allowance | null> {
  try {
    return await callRpc(nats, findAllowanceRpc, { org_id: orgId });
  } catch (error) {
    if (error instanceof RpcUnavailable) return null;
    throw error;
  }
}

function toManualScans({ used, resets_at }: Allowance, limit: number | null) {
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used), resets_at };
}
