import { z } from 'zod';
import { CalendarDate } from '../scalars.ts';

export const MethodVersion = z
  .strictObject({
    method_version: z.string().describe('Number of the version.'),
    since: CalendarDate.describe('First day of the version (UTC).'),
    summary: z.string().describe('What the version changed, for people.'),
  })
  .meta({ id: 'MethodVersion' });
export type MethodVersion = z.infer<typeof MethodVersion>;

/** Every version of the method, newest first. A change of the extraction or of a formula needs a further one. */
export const methodVersions: readonly [MethodVersion, ...MethodVersion[]] = [
  {
    method_version: '5',
    since: '2026-11-28',
    summary:
      'A name inside a longer name of another tracked brand is no mention. A name also counts without its dot or its maker. More statements that nothing is known are recognised. Redirects of platforms are resolved to the cited page; if it is not known, the answer leaves the citation rate. Bounds of windows are wider for few prompts and rare mentions. The share of voice of a window counts all its answers. Low prices, recommendations without adjectives and concessions have a tone.',
  },
  {
    method_version: '4',
    since: '2026-11-26',
    summary:
      'A statement that nothing is known of a brand is no mention. Match rules of a brand apply. A name also counts without its legal form, joined or split, with "and" for "&", and with case endings.',
  },
  {
    method_version: '3',
    since: '2026-11-25',
    summary:
      'Sentiment is read from every passage about a brand, such as text below its heading or its row of a table. Only words of opinion move it from 50.',
  },
  {
    method_version: '2',
    since: '2026-11-25',
    summary:
      'Only the final text of an answer is read: without narration, control marks, source chips and addresses as labels of links. An empty response without a stated reason is retried.',
  },
  {
    method_version: '1',
    since: '2026-11-21',
    summary:
      'First version: whole words are mentions, and a lexicon or an LLM judge rates the sentiment. Scores and share of voice follow the formulas of `formulas`.',
  },
];

/** The version by which answers are read and scores are computed. */
export const currentMethodVersion: string = methodVersions[0].method_version;
