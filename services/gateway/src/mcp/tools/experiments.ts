import {
  type BreakdownRow,
  createExperiment,
  describeExperiment,
  Experiment,
  getExperiment,
  getPrecision,
  listBreakdown,
  listExperiments,
  maxArmDifference,
  minPrompts,
  Uuid,
} from '@bv/contract';
import { z } from 'zod';
import { brandId, idempotencyKey, maxRows, orgId, toBrandParams } from '../arguments.ts';
import { hasMore, pick, select } from '../fields.ts';
import { maxResultBytes } from '../operation-call.ts';
import { defineTool } from '../tool.ts';

const ExperimentRow = pick(Experiment, 'id', 'name', 'status', 'starts_on').extend({ summary: z.string() });

const toRow = (experiment: Experiment): z.input<typeof ExperimentRow> => ({
  ...select(pick(Experiment, 'id', 'name', 'status', 'starts_on'), experiment),
  summary: describeExperiment(experiment),
});

export const experimentsTool = defineTool({
  name: 'experiments',
  title: 'Experiments',
  description:
    'Registered experiments of a brand, newest first: did a change do it? A running one has its effect with `experiment_id` only, and its verdict at the end.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    experiment_id: Uuid.optional(),
    max_rows: maxRows(200, 10),
  }),
  output: z.object({ experiments: z.array(ExperimentRow), has_more: hasMore }),
  run: async (calls, { experiment_id: experimentId, max_rows, ...brand }) => {
    const params = toBrandParams(brand);
    if (experimentId !== undefined) {
      const experiment = await calls.call(getExperiment, { params: { ...params, experimentId } });
      return { experiments: [toRow(experiment)], has_more: false };
    }
    const { rows, has_more } = await calls.list(listExperiments, { params, query: {} }, max_rows, toRow);
    return { experiments: rows, has_more };
  },
});

const ProposedPrompt = z.object({ id: z.string(), text: z.string(), mention_rate: z.number() });
const maxPrompts = 1_000;
/** Both arms make one result. */
const maxArmBytes = maxResultBytes / 2;

export const proposeExperimentTool = defineTool({
  name: 'propose_experiment',
  title: 'Design of an experiment',
  description:
    'For a change that concerns the prompts with a tag: which other prompts could be the control, with mention rates of the last 31 days, and about which effect 28 days can find. Creates nothing.',
  input: z.strictObject({ org_id: orgId, brand_id: brandId, tag: z.string() }),
  output: z.object({
    summary: z.string(),
    treated: z.array(ProposedPrompt),
    control: z.array(ProposedPrompt),
    has_more: hasMore,
  }),
  run: async (calls, { tag, ...brand }) => {
    const params = toBrandParams(brand);
    const query = { by: 'prompt' as const };
    const { rows, has_more } = await calls.list(
      listBreakdown,
      { params, query },
      maxPrompts,
      (row) => row,
      Infinity,
    );
    const measured = rows.filter(
      ({ mention_rate: rate, prompt }) => rate !== null && prompt?.active === true,
    );
    const [tagged, others] = [true, false].map((isTreated) =>
      measured.filter((row) => row.prompt?.tags.includes(tag) === isTreated).map(toProposed),
    ) as [Proposed[], Proposed[]];
    const treated = calls.fit(tagged, maxArmBytes);
    const level = meanRate(treated);
    const byDistance = (a: Proposed, b: Proposed): number =>
      Math.abs(a.mention_rate - level) - Math.abs(b.mention_rate - level);
    const candidates = others.toSorted(byDistance).slice(0, Math.max(minPrompts, treated.length));
    const control = calls.fit(candidates, maxArmBytes);
    const { prompts, change } = await calls.call(getPrecision, { params, query: {} });
    return {
      summary: describeDesign({ treated, control }, { prompts, smallest: change.smallest_detectable_28d }),
      treated,
      control,
      has_more: has_more || calls.isCut,
    };
  },
});

type Proposed = z.infer<typeof ProposedPrompt>;

const toProposed = ({ key, label, mention_rate: rate }: BreakdownRow): Proposed => ({
  id: key,
  text: label ?? '',
  mention_rate: rate ?? 0,
});

const meanRate = (rows: readonly Proposed[]): number =>
  rows.reduce((sum, { mention_rate: rate }) => sum + rate, 0) / Math.max(1, rows.length);

/** One group of prompts has the error s / √k. The difference of two groups has s × √(1 / k₁ + 1 / k₂). */
function describeDesign(
  { treated, control }: { treated: readonly Proposed[]; control: readonly Proposed[] },
  { prompts, smallest }: { prompts: number; smallest: number | null },
): string {
  const sizes = `${treated.length} treated and ${control.length} control prompts`;
  if (treated.length < minPrompts || control.length < minPrompts) {
    return `${sizes} with answers: an arm needs at least five.`;
  }
  const [treatedRate, controlRate] = [meanRate(treated), meanRate(control)];
  const differ =
    Math.abs(treatedRate - controlRate) > maxArmDifference
      ? ` These are more than ${maxArmDifference} points apart (\`arms_differ\`), so one shock may move the arms by different points.`
      : '';
  const rates = `with mention rates of ${treatedRate.toFixed(1)} and ${controlRate.toFixed(1)} percent.${differ}`;
  if (smallest === null) return `${sizes} ${rates} Which effect can be found is not known yet.`;
  const effect = smallest * Math.sqrt(prompts / treated.length + prompts / control.length);
  return `${sizes} ${rates} Windows of 28 days usually find an effect of about ${effect.toFixed(1)} points.`;
}

const body = createExperiment.body.shape;
const arm = z.array(Uuid).min(minPrompts);

export const createExperimentTool = defineTool({
  name: 'create_experiment',
  title: 'Register an experiment',
  description:
    'Registers an experiment before a change is made. It can never be changed or deleted: show the design to the user first.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    name: body.name.describe('For people.'),
    metric: body.metric.describe('What the change should move.'),
    starts_on: body.starts_on.describe('UTC day of the change.'),
    treated: arm.describe('Ids of the prompts that the change is for.'),
    control: arm.describe('Ids of other prompts.'),
    idempotency_key: idempotencyKey,
  }),
  output: pick(Experiment, 'id', 'status', 'design'),
  writes: { destructive: false, idempotent: false },
  run: async (calls, { idempotency_key: key, name, metric, starts_on, treated, control, ...brand }) => {
    const arms = { treated: { prompt_ids: treated }, control: { prompt_ids: control } };
    return calls.call(createExperiment, {
      params: toBrandParams(brand),
      body: { name, metric, starts_on, ...arms },
      idempotencyKey: key,
    });
  },
});
