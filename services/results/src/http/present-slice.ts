import type { BreakdownBy, BreakdownRow } from '@bv/contract';
import { positionBounds, rateBounds, shareBounds } from '@bv/statistics';
import type { SliceKey, SliceRow } from '../db/breakdown.ts';
import { percent, rounded, toBounds } from '../domain/formulas.ts';
import type { PromptKinds, PromptText } from '../domain/prompt-slices.ts';

/** What the rows of a page are made of. */
export type SliceContext = {
  by: BreakdownBy;
  /** Competitors that are tracked now. */
  competitors: readonly { id: string; name: string }[];
  prompts: ReadonlyMap<string, PromptText>;
  kinds: PromptKinds;
};

/** Bounds that are further apart, in points, make a mention rate imprecise. */
const preciseWidth = 30;

export const toSliceId = ({ key, date }: SliceKey): string => `${date ?? ''} ${key}`;

/** The row of a slice. All figures are rounded here. */
export function presentSlice(slice: SliceRow, context: SliceContext): BreakdownRow {
  const mentions = rateBounds(slice.mention_rate, slice.answered, slice.mentioned);
  return {
    ...presentKey(slice, context),
    units_total: slice.units_total,
    units_answered: slice.units_answered,
    units_mentioned: slice.units_mentioned,
    units_cited: slice.units_cited,
    units_mentioned_cited: slice.units_mentioned_cited,
    prompts_measured: slice.answered.length,
    score: rounded(slice.score),
    mention_rate: rounded(slice.mention_rate),
    ...toBounds('mention_rate', mentions),
    citation_rate: rounded(slice.citation_rate),
    ...toBounds('citation_rate', rateBounds(slice.citation_rate, slice.citable, slice.cited)),
    average_position: rounded(slice.average_position),
    ...toBounds('average_position', positionBounds(slice.position_sums, slice.position_cells)),
    sentiment: rounded(slice.sentiment),
    share_of_voice: percent(sum(slice.own_mentions), sum(slice.all_mentions)),
    ...toBounds('share_of_voice', shareBounds(slice.own_mentions, slice.all_mentions)),
    competitors: presentCompetitors(slice, context),
    is_imprecise: mentions !== null && mentions.high - mentions.low > preciseWidth,
  };
}

type SliceIdentity = Pick<BreakdownRow, 'key' | 'label' | 'date' | 'prompt' | 'prompt_kind'>;

function presentKey({ key, date }: SliceKey, { by, prompts, kinds }: SliceContext): SliceIdentity {
  const none = { key, date, prompt: null, prompt_kind: null };
  if (by === 'prompt') {
    const { text = null, tags = [], active = false } = prompts.get(key) ?? {};
    const prompt = { id: key, text, tags, active };
    return { ...none, label: text, prompt, prompt_kind: kinds.get(key) ?? null };
  }
  if (by === 'prompt_kind') {
    return { ...none, label: key, prompt_kind: key as BreakdownRow['prompt_kind'] };
  }
  const name = by === 'model' ? key.slice(key.indexOf('/') + 1) : key;
  return { ...none, label: name === '' ? null : name };
}

const presentCompetitors = (slice: SliceRow, { competitors }: SliceContext): BreakdownRow['competitors'] =>
  competitors.map(({ id, name }, index) => ({
    brand_id: id,
    name,
    units_mentioned: slice.competitor_mentions[index] ?? null,
    mention_rate: rounded(slice.competitor_rates[index] ?? null),
  }));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
