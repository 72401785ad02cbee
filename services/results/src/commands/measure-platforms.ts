import type { PlatformId } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Context } from '../context.ts';
import {
  type AnswerCount,
  findLastMeasuredDay,
  insertPlatformDays,
  listAnswerCounts,
  listCitedDomains,
  listOwnBrandIds,
  listPlatformDays,
} from '../db/platform-days.ts';
import { addDays } from '../domain/calendar.ts';
import { comparedDays, listDriftKinds, type PlatformShape } from '../domain/platform-drift.ts';

/** The last scans of a day end, and their results are stored, within this time after its end. */
const graceMs = 2 * 60 * 60 * 1_000;

type Deps = Pick<Context, 'pool' | 'now'>;

/** Stores the shape of each platform's answers on the days that have ended, and what of it has drifted. */
export async function measurePlatforms({ pool, now }: Deps, stopping: AbortSignal): Promise<void> {
  const today = new Date(now().getTime() - graceMs).toISOString().slice(0, 10);
  const earliest = addDays(today, -comparedDays);
  const last = await findLastMeasuredDay(pool);
  let day = last === null || last < earliest ? earliest : addDays(last, 1);
  for (; day < today && !stopping.aborted; day = addDays(day, 1)) await measureDay(pool, day, stopping);
}

async function measureDay(pool: Pool, runDate: string, stopping: AbortSignal): Promise<void> {
  const shapes = await readShapes(pool, runDate, stopping);
  if (stopping.aborted) return;
  const window = { from: addDays(runDate, -comparedDays), to: addDays(runDate, -1) };
  const before = Map.groupBy(await listPlatformDays(pool, window), ({ platform }) => platform);
  await insertPlatformDays(
    pool,
    Array.from(shapes, ([platform, shape]) => ({
      ...shape,
      platform,
      run_date: runDate,
      drift: listDriftKinds(shape, before.get(platform) ?? []),
    })),
  );
}

/** Reads brand by brand, so that each statement is short and reads one partition. */
async function readShapes(
  pool: Pool,
  runDate: string,
  stopping: AbortSignal,
): Promise<Map<PlatformId, PlatformShape>> {
  const counts = new Map<string, AnswerCount>();
  const citing = new Map<string, number>();
  const largest = new Map<PlatformId, number>();
  for (const brandId of await listOwnBrandIds(pool)) {
    if (stopping.aborted) break;
    for (const each of await listAnswerCounts(pool, { brandId, runDate })) addCount(counts, each);
    for (const { platform, domain, units } of await listCitedDomains(pool, { brandId, runDate })) {
      const sum = (citing.get(`${platform} ${domain}`) ?? 0) + units;
      citing.set(`${platform} ${domain}`, sum);
      largest.set(platform, Math.max(largest.get(platform) ?? 0, sum));
    }
  }
  return new Map(
    [...Map.groupBy(counts.values(), ({ platform }) => platform)].map(([platform, ofPlatform]) => [
      platform,
      { ...toSums(ofPlatform), ...toLength(ofPlatform), largest_domain: largest.get(platform) ?? 0 },
    ]),
  );
}

function addCount(counts: Map<string, AnswerCount>, added: AnswerCount): void {
  const key = `${added.platform} ${added.step}`;
  const known = counts.get(key);
  counts.set(key, known === undefined ? added : { ...known, ...toSums([known, added]) });
}

function toSums(counts: readonly AnswerCount[]) {
  const sum = (field: 'units' | 'answered' | 'sourced' | 'unresolved' | 'unnamed'): number =>
    counts.reduce((total, each) => total + each[field], 0);
  return {
    units: sum('units'),
    answered: sum('answered'),
    sourced: sum('sourced'),
    unresolved: sum('unresolved'),
    unnamed: sum('unnamed'),
  };
}

/** The median is that of the steps. */
function toLength(counts: readonly AnswerCount[]): Pick<PlatformShape, 'with_text' | 'text_bytes'> {
  const lengths = counts
    .filter((each): each is AnswerCount & { step: number } => each.step !== null)
    .toSorted((a, b) => a.step - b.step);
  const total = lengths.reduce((sum, { units }) => sum + units, 0);
  let passed = 0;
  const median = lengths.find(({ units }) => (passed += units) >= total / 2);
  return { with_text: total, text_bytes: median === undefined ? 1 : Math.round(Math.exp(median.step / 50)) };
}
