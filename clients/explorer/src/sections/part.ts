import type { Brand, PlatformId, Score } from '@bv/sdk';
import { daysOf, type Period, periodUpTo, showDay, showPeriod } from '../data/day.ts';
import type { Measured } from '../data/measured.ts';
import type { Navigate } from '../state/navigation.ts';
import type { View } from '../state/view.ts';

/** What the page shows: a brand, maybe in one market or on one platform. */
export type Scope = {
  orgId: string;
  brandId: string;
  country: string | undefined;
  platform: PlatformId | undefined;
};

export type PageProps = { brand: Brand; orgId: string; view: View; navigate: Navigate };

/** What every part of the page gets. */
export type PartProps = PageProps & {
  scope: Scope;
  /** The days of the chosen window, up to the newest day with results. */
  period: Period;
  /** Versions of the method of the newest row. */
  method: string;
};

/** A part with the figures over time. */
export type SeriesProps = PartProps & {
  rows: readonly Score[];
  measured: readonly Measured[];
};

/** The days that a point of a curve pools. */
export function describePoint(day: string, { platform, window }: View): string {
  if (platform !== undefined && window !== 'day') return `week from ${showDay(day)}`;
  return showPeriod(periodUpTo(day, daysOf[window]));
}
