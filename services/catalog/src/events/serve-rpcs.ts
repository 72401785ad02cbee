import {
  findBrandRpc,
  findOrgRpc,
  findPromptRpc,
  marketsRpc,
  type Nats,
  newestBrandsLimit,
  newestBrandsRpc,
  type RpcReply,
  type RpcRequest,
  type RpcServer,
  scanPlanPageSize,
  scanPlanRpc,
  serveRpc,
} from '@bv/events';
import { zeroUuid } from '@bv/pagination';
import { type Pool, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { findBrand, listNewestOwnBrandIds } from '../db/brands.ts';
import { listCompetitors } from '../db/competitors.ts';
import { findOrg, findOrgIncludingDeleted } from '../db/orgs.ts';
import { listPlannedPrompts } from '../db/prompt-lists.ts';
import { findPrompt } from '../db/prompts.ts';
import { brandData, orgData, promptData } from '../publish/publish.ts';

/** All statements of one reply read the same snapshot. */
const snapshot = { isolation: 'repeatable read', readOnly: true } as const;

async function orgState(pool: Pool, id: string): Promise<RpcReply<typeof findOrgRpc>> {
  const org = await findOrgIncludingDeleted(pool, id);
  return org ? { version: org.version, data: orgData(org) } : null;
}

function brandState(pool: Pool, id: string): Promise<RpcReply<typeof findBrandRpc>> {
  return transaction(
    pool,
    async (tx) => {
      const brand = await findBrand(tx, id);
      if (!brand) return null;
      return { version: brand.version, data: brandData(brand, await listCompetitors(tx, id)) };
    },
    snapshot,
  );
}

async function promptState(pool: Pool, id: string): Promise<RpcReply<typeof findPromptRpc>> {
  const prompt = await findPrompt(pool, id);
  return prompt ? { version: prompt.version, data: promptData(prompt) } : null;
}

/** A page of the scan plan; null if the organisation has no such brand. */
function scanPlanPage(
  pool: Pool,
  { org_id, brand_id, after }: RpcRequest<typeof scanPlanRpc>,
): Promise<RpcReply<typeof scanPlanRpc>> {
  return transaction(
    pool,
    async (tx) => {
      const org = await findOrg(tx, org_id);
      const brand = await findBrand(tx, brand_id);
      if (!org || brand?.org_id !== org_id) return null;
      const prompts = await listPlannedPrompts(tx, brand_id, after ?? zeroUuid, scanPlanPageSize);
      return {
        brand: brandData(brand, await listCompetitors(tx, brand_id)),
        org: orgData(org),
        archived: brand.sunset_at !== null,
        prompts,
        next: prompts.length === scanPlanPageSize ? (prompts.at(-1)?.id ?? null) : null,
      };
    },
    snapshot,
  );
}

/** Serves current state to services whose projections may be behind. */
export function serveRpcs(options: {
  pool: Pool;
  nats: Nats;
  log: Logger;
  markets: readonly string[];
}): RpcServer {
  const { pool, nats, log, markets } = options;
  const serveOptions = { queue: 'catalog', log };
  const servers = [
    serveRpc(nats, findOrgRpc, ({ id }) => orgState(pool, id), serveOptions),
    serveRpc(nats, findBrandRpc, ({ id }) => brandState(pool, id), serveOptions),
    serveRpc(nats, findPromptRpc, ({ id }) => promptState(pool, id), serveOptions),
    serveRpc(
      nats,
      newestBrandsRpc,
      ({ org_id }) => listNewestOwnBrandIds(pool, org_id, newestBrandsLimit),
      serveOptions,
    ),
    serveRpc(nats, marketsRpc, async () => [...markets], serveOptions),
    serveRpc(nats, scanPlanRpc, (request) => scanPlanPage(pool, request), serveOptions),
  ];
  return {
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
