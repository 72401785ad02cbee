import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { createPropertyRoute, getBrandRoute, listBrandsRoute, updateBrandRoute } from './brands.ts';
import { linkCompetitorRoute, unlinkCompetitorRoute } from './competitors.ts';
import { operatorListAnswersRoute } from './operator-answers.ts';
import {
  operatorArchiveBrandRoute,
  operatorGetBrandRoute,
  operatorListOrgBrandsRoute,
  operatorRestoreBrandRoute,
} from './operator-brands.ts';
import {
  operatorCreateOrgRoute,
  operatorDeleteOrgRoute,
  operatorGetOrgRoute,
  operatorListOrgsRoute,
  operatorListTiersRoute,
  operatorPurgeOrgRoute,
  operatorUpdateOrgRoute,
} from './operator-orgs.ts';
import {
  operatorGetPromptRoute,
  operatorListBrandPromptsRoute,
  operatorListOrgPromptsRoute,
} from './operator-prompts.ts';
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
    operatorListTiersRoute(ctx),
    operatorCreateOrgRoute(ctx),
    operatorListOrgsRoute(ctx),
    operatorListAnswersRoute(ctx),
    operatorGetOrgRoute(ctx),
    operatorUpdateOrgRoute(ctx),
    operatorDeleteOrgRoute(ctx),
    operatorPurgeOrgRoute(ctx),
    operatorListOrgBrandsRoute(ctx),
    operatorGetBrandRoute(ctx),
    operatorArchiveBrandRoute(ctx),
    operatorRestoreBrandRoute(ctx),
    operatorListOrgPromptsRoute(ctx),
    operatorListBrandPromptsRoute(ctx),
    operatorGetPromptRoute(ctx),
  ];
}
