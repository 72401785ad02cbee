import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { listBrandSummariesRoute } from './brand-summaries.ts';
import { listBreakdownRoute } from './breakdown.ts';
import { getChangesRoute } from './changes.ts';
import { compareScoresRoute } from './compare-scores.ts';
import { getCoverageRoute } from './coverage.ts';
import { listDiscoveredBrandsRoute } from './discovered-brands.ts';
import {
  createExperimentRoute,
  getExperimentRoute,
  listExperimentsRoute,
  stopExperimentRoute,
} from './experiments.ts';
import { listMentionsRoute } from './mentions.ts';
import { operatorReprocessBrandsRoute } from './operator-reprocess.ts';
import {
  operatorCountBrandUnitsRoute,
  operatorDeleteBrandUnitsRoute,
  operatorImportResultsRoute,
} from './operator-units.ts';
import { listPagesRoute } from './pages.ts';
import { getPrecisionRoute } from './precision.ts';
import { listPromptResultsRoute } from './prompt-results.ts';
import { getReprocessRoute, reprocessBrandRoute } from './reprocess.ts';
import { listScoresRoute } from './scores.ts';
import { listShareOfVoiceRoute } from './share-of-voice.ts';
import { listSourcesRoute } from './sources.ts';

/** Creates the route of every operation of this service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    listBrandSummariesRoute(ctx),
    listMentionsRoute(ctx),
    listPromptResultsRoute(ctx),
    listScoresRoute(ctx),
    compareScoresRoute(ctx),
    getChangesRoute(ctx),
    createExperimentRoute(ctx),
    listExperimentsRoute(ctx),
    getExperimentRoute(ctx),
    stopExperimentRoute(ctx),
    listBreakdownRoute(ctx),
    listShareOfVoiceRoute(ctx),
    listSourcesRoute(ctx),
    listPagesRoute(ctx),
    listDiscoveredBrandsRoute(ctx),
    getCoverageRoute(ctx),
    getPrecisionRoute(ctx),
    reprocessBrandRoute(ctx),
    getReprocessRoute(ctx),
    operatorImportResultsRoute(ctx),
    operatorCountBrandUnitsRoute(ctx),
    operatorDeleteBrandUnitsRoute(ctx),
    operatorReprocessBrandsRoute(ctx),
  ];
}
