import { ApiError } from '@bv/contract';
import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { createPropertyRoute, getBrandRoute, listBrandsRoute } from './brands.ts';
import { linkCompetitorRoute, unlinkCompetitorRoute } from './competitors.ts';
import { operatorArchiveBrandRoute, operatorRestoreBrandRoute } from './operator-brands.ts';
import {
  operatorCreateOrgRoute,
  operatorDeleteOrgRoute,
  operatorGetOrgRoute,
  operatorListOrgsRoute,
  operatorUpdateOrgRoute,
} from './operator-orgs.ts';
import { getOrgRoute } from './orgs.ts';
import { createPromptRoute, listPromptsRoute, syncPromptsRoute, updatePromptRoute } from './prompts.ts';

/** Creates the routes of this service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    getOrgRoute(ctx),
    createPropertyRoute(ctx),
    listBrandsRoute(ctx),
    getBrandRoute(ctx),
    linkCompetitorRoute(ctx),
    unlinkCompetitorRoute(ctx),
    listPromptsRoute(ctx),
    createPromptRoute(ctx),
    syncPromptsRoute(ctx),
    updatePromptRoute(ctx),
    operatorCreateOrgRoute(ctx),
    operatorListOrgsRoute(ctx),
    operatorGetOrgRoute(ctx),
    operatorUpdateOrgRoute(ctx),
    operatorDeleteOrgRoute(ctx),
    operatorArchiveBrandRoute(ctx),
    operatorRestoreBrandRoute(ctx),
  ].map(wrapHandler);
}

function wrapHandler(route: Route): Route {
  const { operation, handler } = route;
  return {
    ...route,
    handler: async (input) => {
      const { orgId } = input.params as { orgId?: string };
      // A call may access only the organisation that the gateway has authorised.
      if (operation.api === 'public' && orgId !== input.caller.orgId) throw new ApiError('not_found');
      return handler(input);
    },
  };
}
