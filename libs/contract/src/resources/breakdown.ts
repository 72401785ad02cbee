import { z } from 'zod';
import { CalendarDate, Count, Percent, Uuid } from '../scalars.ts';
import { AveragePosition } from './score.ts';

/** What the rows of a breakdown are slices of. */
export const BreakdownBy = z
  .enum(['prompt', 'tag', 'platform', 'country', 'model', 'prompt_kind'])
  .meta({ id: 'BreakdownBy' });
export type BreakdownBy = z.infer<typeof BreakdownBy>;

/** The days that a row pools: the whole window, one day, or a week from Monday to Sunday. */
export const BreakdownSeries = z.enum(['none', 'day', 'week']).meta({ id: 'BreakdownSeries' });
export type BreakdownSeries = z.infer<typeof BreakdownSeries>;

/** Which tracked brands the text of a prompt mentions. */
export const PromptKind = z.enum(['branded', 'competitor', 'unbranded']).meta({ id: 'PromptKind' });
export type PromptKind = z.infer<typeof PromptKind>;

const BreakdownPrompt = z
  .strictObject({
    id: Uuid.describe('Id of the prompt.'),
    text: z.string().nullable().describe('Text of now; null until the service has received it.'),
    tags: z.array(z.string()).describe('Tags of now.'),
    active: z.boolean().describe('Whether it is scanned now.'),
  })
  .meta({ id: 'BreakdownPrompt' });

const CompetitorInSlice = z
  .strictObject({
    brand_id: Uuid.describe('Id of the competitor.'),
    name: z.string().describe('Name of now.'),
    units_mentioned: Count.nullable().describe(
      'Answers of the slice that mention it; null if none was searched for it.',
    ),
    mention_rate: Percent.nullable().describe(
      'Share of the answers that were searched for it which mention it, 0 to 100; null without any.',
    ),
  })
  .meta({ id: 'CompetitorInSlice' });

const low = (figure: string) => `Lower 95 % bound of ${figure}.`;
const high = (figure: string) => `Upper 95 % bound of ${figure}.`;
const jackknifed = ' null with fewer than five prompts, or where omitting one leaves no value.';

export const BreakdownRow = z
  .strictObject({
    key: z
      .string()
      .describe(
        'What the row is about: a prompt id, a tag, a platform, a market, `<platform>/<model>` or a kind of prompt. Empty for prompts without tags; `<platform>/` where the model is unknown.',
      ),
    label: z
      .string()
      .nullable()
      .describe(
        'The key for people: the text of a prompt, the model alone, else the key. null where unknown.',
      ),
    date: CalendarDate.nullable().describe(
      'Day of the row, or Monday of its week (UTC); null with `series=none`.',
    ),
    prompt: BreakdownPrompt.nullable().describe('The prompt; null unless `by=prompt`.'),
    prompt_kind: PromptKind.nullable().describe(
      '`branded`: the text of the prompt mentions the own brand. `competitor`: only tracked competitors. `unbranded`: none. null unless `by` is `prompt` or `prompt_kind`.',
    ),
    units_total: Count.describe('Units with an answer, plus units to which the platform gave none.'),
    units_answered: Count.describe('Units with an answer.'),
    units_mentioned: Count.describe('Units whose answer mentions the brand.'),
    units_cited: Count.describe('Units whose answer cites the domain of the brand.'),
    units_mentioned_cited: Count.describe('Units whose answer mentions the brand and cites its domain.'),
    prompts_measured: Count.describe('Distinct prompts with an answered unit.'),
    score: Percent.nullable().describe('Visibility, 0 to 100. null without an answer.'),
    mention_rate: Percent.nullable().describe(
      'Share of the answers that mention the brand, 0 to 100. null without an answer.',
    ),
    mention_rate_low: Percent.nullable().describe(low('the mention rate')),
    mention_rate_high: Percent.nullable().describe(high('the mention rate')),
    citation_rate: Percent.nullable().describe(
      'Share of the answers that cite the domain of the brand, 0 to 100. null without a value.',
    ),
    citation_rate_low: Percent.nullable().describe(low('the citation rate')),
    citation_rate_high: Percent.nullable().describe(high('the citation rate')),
    average_position: AveragePosition.nullable().describe(
      'Mean position in the answers that mention the brand; 1 is first. null without a mention.',
    ),
    average_position_low: AveragePosition.nullable().describe(low('the average position') + jackknifed),
    average_position_high: AveragePosition.nullable().describe(high('the average position') + jackknifed),
    sentiment: Percent.nullable().describe('Mean tone, 0 to 100; 50 is neutral. null without a mention.'),
    share_of_voice: Percent.nullable().describe(
      'Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention.',
    ),
    share_of_voice_low: Percent.nullable().describe(low('the share of voice') + jackknifed),
    share_of_voice_high: Percent.nullable().describe(high('the share of voice') + jackknifed),
    competitors: z
      .array(CompetitorInSlice)
      .describe('Every competitor that is tracked now, by name, then id.'),
    is_imprecise: z
      .boolean()
      .describe('Whether the bounds of the mention rate are more than 30 points apart.'),
  })
  .meta({ id: 'BreakdownRow' });
export type BreakdownRow = z.infer<typeof BreakdownRow>;
