import { z } from 'zod';
import { operation } from '../operation.ts';
import { noQuery, OwnBrandParams, PageQuery, resourceId } from '../parameters.ts';
import { Experiment } from '../resources/experiment.ts';
import { PrecisionMetric } from '../resources/precision.ts';
import { CalendarDate, Countries, PathId, Platforms, Tags, text } from '../scalars.ts';

const path = '/orgs/{orgId}/brands/{brandId}/experiments' as const;
const ExperimentParams = OwnBrandParams.extend({ experimentId: resourceId('experiment') });

const Arm = z
  .object({
    prompt_ids: z.array(PathId).max(1000).optional().describe('Ids of prompts of the brand.'),
    tags: Tags.optional().describe('Every prompt with one of these tags, inactive ones included.'),
  })
  .meta({ id: 'ExperimentArmInput' });

const days = (range: { min: number; max: number; usual: number }, description: string) =>
  z.int().min(range.min).max(range.max).default(range.usual).describe(description);

export const createExperiment = operation({
  id: 'createExperiment',
  service: 'results',
  method: 'POST',
  path,
  summary: 'Register an experiment',
  description:
    'Says in advance which prompts a change is for, which it is not for, and when it starts. The result compares how both arms changed, so that what reaches all prompts, such as a new model, does not count. An experiment cannot be changed. A brand has at most 50 that are not completed or stopped. Each arm has at least five prompts. Tags are resolved to prompts now; later changes of tags change nothing.',
  params: OwnBrandParams,
  query: noQuery,
  body: z.object({
    name: text(1, 200, { trim: true }).describe('Your own name of the experiment.'),
    metric: PrecisionMetric.default('mention_rate').describe('Figure that the change should move.'),
    starts_on: CalendarDate.describe('Day of the change (UTC), at most 366 days before or after today.'),
    treated: Arm.describe('Prompts that the change is for.'),
    control: Arm.describe('Prompts that it is not for. No prompt is in both arms.'),
    pre_days: days({ min: 7, max: 92, usual: 28 }, 'Days before the change, 7 to 92.'),
    washout_days: days({ min: 0, max: 28, usual: 7 }, 'Days after the change that do not count, 0 to 28.'),
    post_days: days({ min: 7, max: 92, usual: 28 }, 'Days after the washout, 7 to 92.'),
    platforms: Platforms.optional().describe('Platforms that count. When omitted: all.'),
    countries: Countries.optional().describe('Markets that count. When omitted: all.'),
    note: text(0, 2000, { allowControl: true }).optional().describe('Your own text, for people.'),
  }),
  success: { status: 201, kind: 'item', data: Experiment },
  errors: ['brand_archived', 'conflict'],
});

export const listExperiments = operation({
  id: 'listExperiments',
  service: 'results',
  method: 'GET',
  path,
  summary: 'List experiments',
  description: 'Newest first. Nothing deletes an experiment, except the purge of its organisation.',
  params: OwnBrandParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: Experiment },
});

export const getExperiment = operation({
  id: 'getExperiment',
  service: 'results',
  method: 'GET',
  path: `${path}/{experimentId}`,
  summary: 'Read an experiment',
  description:
    'While it runs, `result` shows the effect with its interval. `verdict` and the p-values come at the end, because a reader who looks daily stops when chance suits.',
  params: ExperimentParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Experiment },
});

export const stopExperiment = operation({
  id: 'stopExperiment',
  service: 'results',
  method: 'POST',
  path: `${path}/{experimentId}/stop`,
  summary: 'Stop an experiment',
  description:
    'For an experiment whose change was not made, or was undone. It keeps the result of its days up to now, and never has a verdict. For a completed or stopped one it returns `409 conflict`.',
  params: ExperimentParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Experiment },
  errors: ['conflict'],
});
