import { operatorCreateOrgKey } from '@bv/contract';
import { route } from '@bv/http';
import { ensureOrg } from '../commands/ensure-org.ts';
import { mintOrgKey } from '../commands/mint-key.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentMintedKey } from './present.ts';

export const operatorCreateOrgKeyRoute = (context: OperationsContext) =>
  route(operatorCreateOrgKey, async ({ params, body }) => {
    await ensureOrg(context, params.orgId);
    return { data: presentMintedKey(await mintOrgKey(context, params.orgId, body)) };
  });
