import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { listBrandSummariesRoute } from './list-brand-summaries.ts';
import { listMentionsRoute } from './list-mentions.ts';
import { listPromptResultsRoute } from './list-prompt-results.ts';
import { listScoresRoute } from './list-scores.ts';
import { listShareOfVoiceRoute } from './list-share-of-voice.ts';
import { listSourcesRoute } from './list-sources.ts';
import { operatorDeleteBrandUnitsRoute } from './operator-delete-brand-units.ts';
import { operatorImportResultsRoute } from './operator-import-results.ts';

/** Creates the route of every operation of this service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    listBrandSummariesRoute(ctx),
    listMentionsRoute(ctx),
    listPromptResultsRoute(ctx),
    listScoresRoute(ctx),
    listShareOfVoiceRoute(ctx),
    listSourcesRoute(ctx),
    operatorImportResultsRoute(ctx),
    operatorDeleteBrandUnitsRoute(ctx),
  ];
}
