import { getKey } from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { getKeyUsage } from '../db/api-keys.ts';
import { presentKeyIntrospection } from './present.ts';

export function getKeyRoute({ pool, usage }: Context): Route {
  return route(getKey, async ({ caller }) => {
    // Includes requests that this gateway has counted but not written yet, this one too.
    await usage.flush();
    return { data: presentKeyIntrospection(await getKeyUsage(pool, caller.keyId)) };
  });
}
