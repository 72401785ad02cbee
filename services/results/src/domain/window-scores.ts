import { windowRates } from '@bv/statistics';
import { percent, round2, rounded, toBounds } from './formulas.ts';
import type { WindowCell } from './window-cells.ts';

/** Figures of one series over a window. */
export type WindowFigures = {
  score: number | null;
  mention_rate: number | null;
  mention_rate_low: number | null;
  mention_rate_high: number | null;
  average_position: number | null;
  sentiment: number | null;
  average_position_low: number | null;
  average_position_high: number | null;
  citation_rate: number | null;
  citation_rate_low: number | null;
  citation_rate_high: number | null;
  share_of_voice: number | null;
  share_of_voice_low: number | null;
  share_of_voice_high: number | null;
  units_total: number;
  units_answered: number;
  units_mentioned: number;
  units_cited: number;
  units_citations_unknown: number | null;
  units_mentioned_cited: number | null;
  units_informative: number | null;
  informative_rate: number | null;
  units_effective: number;
  position_sum: number;
  sentiment_sum: number;
  sentiment_count: number;
  platforms: {
    platform: string;
    score: number | null;
    mention_rate: number | null;
    units_answered: number;
  }[];
  models: { platform: string; model: string | null; units: number }[];
  prompts_measured: number;
};

/** Pools the cells of a series. `cells` have at least one unit each. */
export function computeWindowFigures(cells: readonly WindowCell[]): WindowFigures {
  const rates = windowRates(cells);
  type Sum = Exclude<keyof WindowCell, 'promptId' | 'country' | 'platform' | 'model'>;
  const sum = (field: Sum): number => cells.reduce((total, cell) => total + cell[field], 0);
  return {
    score: rounded(rates.score),
    mention_rate: rounded(rates.mentionRate),
    ...toBounds('mention_rate', rates.bounds.mentionRate),
    average_position: rounded(rates.averagePosition),
    ...toBounds('average_position', rates.bounds.averagePosition),
    sentiment: rounded(rates.sentiment),
    citation_rate: rounded(rates.citationRate),
    ...toBounds('citation_rate', rates.bounds.citationRate),
    share_of_voice: percent(sum('ownMentions'), sum('allMentions')),
    ...toBounds('share_of_voice', rates.bounds.shareOfVoice),
    units_total: sum('unitsTotal'),
    units_answered: rates.unitsAnswered,
    units_mentioned: sum('mentioned'),
    units_cited: sum('cited'),
    units_citations_unknown: sum('citationsUnknown'),
    units_mentioned_cited: sum('mentionedCited'),
    units_informative: sum('read') === 0 ? null : sum('informative'),
    informative_rate: percent(sum('informative'), sum('read')),
    units_effective: round2(rates.unitsEffective),
    position_sum: sum('positionSum'),
    sentiment_sum: round2(sum('sentimentSum')),
    sentiment_count: sum('sentimentCount'),
    platforms: toPlatforms(cells),
    models: toModels(cells),
    prompts_measured: rates.promptsMeasured,
  };
}

const byText =
  <T>(toText: (item: T) => string) =>
  (a: T, b: T) =>
    toText(a) < toText(b) ? -1 : 1;

function toPlatforms(cells: readonly WindowCell[]): WindowFigures['platforms'] {
  return Array.from(
    Map.groupBy(cells, ({ platform }) => platform),
    ([platform, ofPlatform]) => {
      const { score, mentionRate, unitsAnswered } = windowRates(ofPlatform);
      return {
        platform,
        score: rounded(score),
        mention_rate: rounded(mentionRate),
        units_answered: unitsAnswered,
      };
    },
  ).sort(byText(({ platform }) => platform));
}

/** Answered units by platform and model; an unknown model comes last. */
function toModels(cells: readonly WindowCell[]): WindowFigures['models'] {
  const byPlatform = new Map<string, Map<string, number>>();
  for (const { platform, model, units } of cells) {
    if (units === 0) continue;
    const models = byPlatform.get(platform) ?? new Map<string, number>();
    byPlatform.set(platform, models);
    models.set(model, (models.get(model) ?? 0) + units);
  }
  return [...byPlatform].sort(byText(([platform]) => platform)).flatMap(([platform, models]) =>
    Array.from(models, ([model, units]) => ({
      platform,
      model: model === '' ? null : model,
      units,
    })).sort(byText(({ model }) => model ?? '\uffff')),
  );
}
