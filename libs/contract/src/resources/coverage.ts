import { z } from 'zod';
import { CalendarDate, Count, Percent } from '../scalars.ts';

export const CoverageSubject = z.enum(['brands', 'domains', 'pages']).meta({ id: 'CoverageSubject' });
export type CoverageSubject = z.infer<typeof CoverageSubject>;

const total = z.number().min(0);
const estimate = <Value extends z.ZodNumber>(value: Value, id: string) =>
  z
    .strictObject({
      value: value.nullable().describe('The estimate; null with fewer than two answers, or nothing seen.'),
      low: value.nullable().describe('Lower 95 % bound; null where it cannot be computed.'),
      high: value.nullable().describe('Upper 95 % bound; null where it cannot be computed.'),
    })
    .meta({ id });

export const Coverage = z
  .strictObject({
    subject: CoverageSubject.describe('What is counted.'),
    from: CalendarDate.describe('First day of the window (UTC).'),
    to: CalendarDate.describe('Last day of the window (UTC).'),
    units: Count.describe('Answers of the window: for `brands` those with a text that was read for names.'),
    prompts: Count.describe('Distinct prompts with such an answer.'),
    seen: Count.describe('Distinct brands, domains or pages in these answers.'),
    seen_once: Count.describe('Those that exactly one answer has.'),
    seen_twice: Count.describe('Those that exactly two answers have.'),
    coverage: estimate(Percent, 'CoverageShare').describe(
      'Estimated share of all occurrences, in further answers too, that are of what was seen, 0 to 100. The bounds are null with fewer than five prompts.',
    ),
    estimated_total: estimate(total, 'CoverageTotal').describe(
      'There are at least so many, with those that no answer has shown.',
    ),
    next_100_units: total
      .nullable()
      .describe('How many unseen ones 100 further answers would show. null where the total is.'),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof Coverage>;
