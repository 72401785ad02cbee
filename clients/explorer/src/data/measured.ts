import type { BrandVisibilityClient, BreakdownRow, PlatformId, Score, ScoreWindow } from '@bv/sdk';
import type { Period } from './day.ts';

/** Figures that both score rows and slices have. */
export const figures = [
  'mention_rate',
  'score',
  'share_of_voice',
  'citation_rate',
  'average_position',
  'sentiment',
] as const;
export type Figure = (typeof figures)[number];

export type Estimate = { value: number | null; low: number | null; high: number | null };

/** Figures of a day or window, of all platforms or of one. */
export type Measured = { day: string; units: number; prompts: number; figures: Record<Figure, Estimate> };

/** Bounds are fields of the same name. Some figures and rows have none. */
export function toMeasured(row: Score | BreakdownRow, day: string): Measured {
  const fields = row as unknown as Record<string, number | null | undefined>;
  const read = (name: string): number | null => fields[name] ?? null;
  const entries = figures.map((figure): [Figure, Estimate] => [
    figure,
    { value: read(figure), low: read(`${figure}_low`), high: read(`${figure}_high`) },
  ]);
  return {
    day,
    units: row.units_answered,
    prompts: row.prompts_measured,
    figures: Object.fromEntries(entries) as Measured['figures'],
  };
}

type SeriesInput = {
  orgId: string;
  brandId: string;
  country: string | undefined;
  window: ScoreWindow;
  platform: PlatformId;
} & Period;

/** Score rows have no bounds of one platform. Slices have them, by day or calendar week. */
export async function readPlatformSeries(
  client: BrandVisibilityClient,
  { window, ...input }: SeriesInput,
): Promise<Measured[]> {
  const series = window === 'day' ? ('day' as const) : ('week' as const);
  const list = client.listBreakdown({ ...input, by: 'platform', series, limit: 200 });
  return (await list.all()).map((row) => toMeasured(row, row.date ?? ''));
}
