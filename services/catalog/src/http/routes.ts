import { ApiError } from '@bv/contract';
import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { createPromptRoute } from './create-prompt.ts';
import { createPropertyRoute } from './create-property.ts';
import { getBrandRoute } from './get-brand.ts';
import { getOrgRoute } from './get-org.ts';
import { linkCompetitorRoute } from './link-competitor.ts';
import { listBrandsRoute } from './list-brands.ts';
import { listPromptsRoute } from './list-prompts.ts';
import { operatorArchiveBrandRoute } from './operator-archive-brand.ts';
import { operatorCreateOrgRoute } from './operator-create-org.ts';
import { operatorDeleteOrgRoute } from './operator-delete-org.ts';
import { operatorGetOrgRoute } from './operator-get-org.ts';
import { operatorListOrgsRoute } from './operator-list-orgs.ts';
import { operatorRestoreBrandRoute } from './operator-restore-brand.ts';
import { operatorUpdateOrgRoute } from './operator-update-org.ts';
import { syncPromptsRoute } from './sync-prompts.ts';
import { unlinkCompetitorRoute } from './unlink-competitor.ts';
import { updatePromptRoute } from './update-prompt.ts';

const routeFactories = [
  getOrgRoute,
  createPropertyRoute,
  listBrandsRoute,
  getBrandRoute,
  linkCompetitorRoute,
  unlinkCompetitorRoute,
  listPromptsRoute,
  createPromptRoute,
  syncPromptsRoute,
  updatePromptRoute,
  operatorCreateOrgRoute,
  operatorListOrgsRoute,
  operatorGetOrgRoute,
  operatorUpdateOrgRoute,
  operatorDeleteOrgRoute,
  operatorArchiveBrandRoute,
  operatorRestoreBrandRoute,
];

/** Creates the routes of this service. */
export function createRoutes(context: Context): Route[] {
  return routeFactories.map((createRoute) => wrapHandler(createRoute(context)));
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
