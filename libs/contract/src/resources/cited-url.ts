import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId, Uuid } from '../scalars.ts';
import { SourceCategory } from './source.ts';

export const CitedUrl = z
  .strictObject({
    url: z.string().describe('Address of the page.'),
    title: z.string().nullable().describe('Title of the page; null if no platform gave one.'),
    domain: z.string().describe('Registrable domain of the page.'),
    category: SourceCategory,
    is_own: z.boolean().describe('Whether it is a page of the own brand.'),
    competitor_id: Uuid.nullable().describe(
      'Id of the tracked competitor with this domain; null for other domains.',
    ),
    citations: Count.describe('Citations of the page.'),
    units_cited: Count.describe('Units whose answer cites the page.'),
    units_mentioned: Count.describe('Citing answers that mention the own brand.'),
    units_with_competitor: Count.describe(
      'Citing answers that mention a competitor for which they were searched.',
    ),
    units_gap: Count.describe('Those of them that do not mention the own brand.'),
    gap_rate: Percent.nullable().describe('`units_gap` as a share of `units_cited`, 0 to 100.'),
    prompts: Count.describe('Distinct prompts whose answers cite the page.'),
    prompt_ids: z.array(Uuid).max(5).describe('At most five of them, most citing first.'),
    platforms: z.array(PlatformId).describe('AI platforms whose answers cite the page.'),
    countries: z.array(z.string()).describe('Markets of the answers that cite the page.'),
    first_seen: CalendarDate.describe('First day of the window with a citation (UTC).'),
    last_seen: CalendarDate.describe('Last day of the window with a citation (UTC).'),
  })
  .meta({ id: 'CitedUrl' });
export type CitedUrl = z.infer<typeof CitedUrl>;
