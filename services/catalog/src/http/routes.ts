import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { createPropertyRoute, getBrandRoute, listBrandsRoute, updateBrandRoute } from './brands.ts';
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
    updateBrandRoute(ctx),
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
  ];
}
