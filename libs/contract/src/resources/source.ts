import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId, Uuid } from '../scalars.ts';

export const sourceCategories = [
  'own',
  'competitor',
  'news',
  'reference',
  'forum',
  'social',
  'directory',
  'review',
  'ecommerce',
  'video',
  'blog',
  'academic',
  'institution',
  'other',
] as const;
export const SourceCategory = z
  .enum(sourceCategories)
  .meta({ id: 'SourceCategory' })
  .describe(
    'Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others.',
  );

const CitedPage = z
  .strictObject({
    url: z.string().describe('Address of the page.'),
    title: z.string().nullable().describe('Title of the page; null if no platform gave one.'),
    citations: Count.describe('Citations of the page.'),
  })
  .meta({ id: 'CitedPage' });

const PlatformCitations = z
  .strictObject({
    platform: PlatformId.describe('AI platform.'),
    citations: Count.describe('Citations of the domain by answers of the platform.'),
  })
  .meta({ id: 'PlatformCitations' });

export const Source = z
  .strictObject({
    domain: z.string().describe('Registrable domain that answers cite.'),
    category: SourceCategory,
    is_own: z.boolean().describe('Whether it is the domain of the own brand.'),
    competitor_id: Uuid.nullable().describe(
      'Id of the tracked competitor with this domain; null for other domains.',
    ),
    citations: Count.describe('Citations of the domain.'),
    units_cited: Count.describe('Units whose answer cites the domain.'),
    citation_share: Percent.nullable().describe(
      '`citations` as a share of the citations of all domains, 0 to 100.',
    ),
    citation_rate: Percent.nullable().describe(
      '`units_cited` as a share of `units_answered`, 0 to 100. Answers with `sources_unresolved` that do not cite the domain do not count.',
    ),
    units_answered: Count.describe('Units of the window with an answer.'),
    pages: Count.describe('Distinct pages of the domain that are cited.'),
    top_pages: z.array(CitedPage).max(5).describe('Most cited pages of the domain, at most five.'),
    platforms: z.array(PlatformCitations).describe('Citations of the domain by AI platform.'),
    countries: z.array(z.string()).describe('Markets of the answers that cite the domain.'),
    mentioned_rate: Percent.nullable().describe(
      'Share of the citing answers that also mention the own brand, 0 to 100.',
    ),
    units_with_competitor: Count.describe(
      'Citing answers that mention a competitor for which they were searched.',
    ),
    units_gap: Count.describe('Those of them that do not mention the own brand.'),
    gap_rate: Percent.nullable().describe('`units_gap` as a share of `units_cited`, 0 to 100.'),
    first_seen: CalendarDate.describe('First day of the window with a citation (UTC).'),
    last_seen: CalendarDate.describe('Last day of the window with a citation (UTC).'),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;
