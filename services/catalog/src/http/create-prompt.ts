import { createPrompt as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { createPrompt, requireBrand } from '../commands/create-prompt.ts';
import type { Context } from '../context.ts';
import { checkMarkets } from '../domain/markets.ts';
import { presentPrompt } from './present.ts';

export const createPromptRoute = ({ pool, markets, promptWrites }: Context) =>
  route(operation, async ({ params, body, sentBody, caller }) => {
    checkMarkets(markets, { path: 'countries', countries: sentBody.countries });
    await requireBrand(pool, params.orgId, params.brandId);
    return promptWrites.run(params.brandId, () =>
      runOnce(pool, caller, operation, async (tx) => {
        const prompt = await createPrompt(tx, { ...params, keyId: caller.keyId, body });
        return { data: presentPrompt(prompt) };
      }),
    );
  });
