import { currentMethodVersion } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import { listEarlierMethods } from '../db/day-sums.ts';
import { findEarlierVersion, listSeriesDays, type SeriesDay } from '../db/scores.ts';
import { listDayNumbers, toUnrecorded } from '../domain/method-versions.ts';

type DayMethods = {
  scored: SeriesDay[];
  /** The number of answers without one. */
  unrecorded: string;
  /** The numbers of the methods by which a series is scored. '' is the series of all markets. */
  listNumbers: (country: string) => string[];
};

/** The methods of a brand's day: of its scores so far, and of its answers. */
export async function readDayMethods(
  db: Queryable,
  { brandId, runDate }: { brandId: string; runDate: string },
): Promise<DayMethods> {
  const scored = await listSeriesDays(db, brandId, { from: runDate, to: runDate });
  const earlier = await listEarlierMethods(db, { brandId, runDate, version: currentMethodVersion });
  const versions = [
    scored.find(({ country }) => country === '')?.method_version,
    await findEarlierVersion(db, { brandId, runDate }),
  ];
  const unrecorded = toUnrecorded(versions.filter((version) => version !== undefined));
  return { scored, unrecorded, listNumbers: (country) => listDayNumbers(earlier, { country, unrecorded }) };
}
