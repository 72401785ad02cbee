import { knownLimitsByTopic } from '@bv/contract';
import { z } from 'zod';

/** Selected fields of a resource of the API. A model pays for every field. */
export function pick<S extends z.ZodRawShape, K extends keyof S & string>(
  { shape }: z.ZodObject<S>,
  ...names: K[]
): z.ZodObject<Pick<S, K>> {
  return z.object(Object.fromEntries(names.map((name) => [name, shape[name]])) as unknown as Pick<S, K>);
}

/** The same fields of a row. Values that the schema does not know yet stay. */
export function select<S extends z.ZodRawShape>(
  { shape }: z.ZodObject<S>,
  row: Record<string, unknown>,
): z.input<z.ZodObject<S>> {
  const entries = Object.keys(shape).map((name) => [name, row[name]]);
  return Object.fromEntries(entries) as z.input<z.ZodObject<S>>;
}

/** What figures mean, by the name of their field. */
const units = {
  score: '0 to 100: 100 if every answer names the brand first, 0 if none names it',
  change: 'points of the score',
  difference: 'points: b minus a; low and high are the ends of its interval at its confidence',
  mention_rate: 'percent of answers; low and high are the ends of its 95 % interval',
  share_of_voice: 'percent of all mentions of the brand and its tracked competitors',
  sentiment: '0 to 100, 50 is neutral',
  citation_rate: 'percent of answers that cite the domain of the brand, without units_citations_unknown',
  citation_share: 'percent of all citations',
  mentioned_rate: 'percent of the answers citing the domain that mention the brand',
  average_position: 'rank by first occurrence among the tracked brands, 1 is first',
  position: 'rank by first occurrence among the tracked brands, 1 is first',
  lead: 'points: mention rate of the rival minus that of the brand',
  units_gap: 'citing answers that name a competitor and not the brand',
  informative_rate: 'percent of answers that name any company, brand or product',
  units: 'answers: one prompt, country, platform and scan',
} as const;

export const Units = z.record(z.string(), z.string());
export const KnownLimits = z.array(z.string());
export const hasMore = z.boolean();

export const describeUnits = (...names: (keyof typeof units)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, units[name]]));

export const listLimits = (...topics: (keyof typeof knownLimitsByTopic)[]): string[] =>
  topics.map((topic) => knownLimitsByTopic[topic]);
