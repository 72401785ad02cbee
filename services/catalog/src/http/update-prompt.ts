import { updatePrompt as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { getPromptBrandId, updatePrompt } from '../commands/update-prompt.ts';
import type { Context } from '../context.ts';
import { checkMarkets } from '../domain/markets.ts';
import { presentPrompt } from './present.ts';

export const updatePromptRoute = ({ pool, markets, promptWrites }: Context) =>
  route(operation, async ({ params, body, sentBody, caller }) => {
    checkMarkets(markets, { path: 'countries', countries: sentBody.countries ?? [] });
    const brandId = await getPromptBrandId(pool, params.orgId, params.promptId);
    return promptWrites.run(brandId, () =>
      runOnce(pool, caller, operation, async (tx) => ({
        data: presentPrompt(await updatePrompt(tx, { ...params, brandId, patch: body })),
      })),
    );
  });
