import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId, Uuid } from '../scalars.ts';
import { AveragePosition } from './score.ts';

export const DiscoveredKind = z
  .enum(['brand', 'publisher', 'marketplace', 'unknown'])
  .meta({ id: 'DiscoveredKind' })
  .describe(
    'What the name is, by its domain or the LLM judge: `brand`, `publisher`, `marketplace`, or `unknown`.',
  );

const DiscoveredExample = z
  .strictObject({
    result_id: Uuid.describe('Id of the prompt result.'),
    start: Count.describe('Offset of the name in its `answer_text`, in Unicode code points.'),
    end: Count.describe('Offset after the name, in Unicode code points.'),
  })
  .meta({ id: 'DiscoveredExample' });

export const DiscoveredBrand = z
  .strictObject({
    key: z.string().describe('What the spellings of the name have in common.'),
    name: z.string().describe('Most frequent spelling.'),
    spellings: z.array(z.string()).max(5).describe('At most five spellings, most frequent first.'),
    suggested_domain: z
      .string()
      .nullable()
      .describe('Registrable domain to which most links with this name lead; null without one.'),
    kind: DiscoveredKind,
    units_mentioned: Count.describe('Answers that present the name.'),
    mention_rate: Percent.nullable().describe(
      'Mean over the cells (prompt, country, platform) of the share of their answers that present the name, 0 to 100.',
    ),
    mention_rate_low: Percent.nullable().describe(
      'Lower 95 % bound of the rate, with a prompt as a cluster.',
    ),
    mention_rate_high: Percent.nullable().describe(
      'Upper 95 % bound of the rate, with a prompt as a cluster.',
    ),
    prompts: Count.describe('Distinct prompts whose answers present the name.'),
    platforms: z.array(PlatformId).describe('AI platforms whose answers present the name.'),
    average_position: AveragePosition.describe(
      'Mean rank among all names of the answer, tracked ones included; 1 is first.',
    ),
    first_seen: CalendarDate.describe('First day of the window with the name (UTC).'),
    last_seen: CalendarDate.describe('Last day of the window with the name (UTC).'),
    examples: z
      .array(DiscoveredExample)
      .max(3)
      .describe('At most three answers with a stored text that present the name, newest first.'),
  })
  .meta({ id: 'DiscoveredBrand' });
export type DiscoveredBrand = z.infer<typeof DiscoveredBrand>;
