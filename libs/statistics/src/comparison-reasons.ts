import type { BlockingReason, ComparisonReason, NotedReason } from '@bv/contract';
import type { ComparedCell, ComparedWindow } from './cells.ts';
import { haveSetsChanged, isSameSet } from './value-sets.ts';

/** A window with its paired cells only. `units` are their answered units, `pairedShare` is their share of all cells. */
export type PairedWindow = ComparedWindow & { units: number; pairedShare: number };

const maxFailedShare = 0.2;
const maxAnswersRatio = 4;
const minPairedShare = 0.8;
const minDays = 3;

const toPlatform = ({ platform }: ComparedCell): string => platform;

/** The reasons in their order, and whether none of them makes the windows incomparable. */
export function listReasons(
  a: PairedWindow,
  b: PairedWindow,
  { isTooFew, dependsOnCompetitors }: { isTooFew: boolean; dependsOnCompetitors: boolean },
): { reasons: ComparisonReason[]; isComparable: boolean } {
  const some = (applies: (window: PairedWindow) => boolean): boolean => applies(a) || applies(b);
  const haveChanged = (toGroup: (cell: ComparedCell) => string, member: SetMember): boolean =>
    haveSetsChanged(a.cells, b.cells, { toGroup, toValues: (cell) => cell[member] });
  const blocking: Record<BlockingReason, boolean> = {
    too_few: isTooFew,
    model_changed: haveChanged(toPlatform, 'models'),
    surface_changed: haveChanged(toPlatform, 'surfaces'),
    method_changed: !isSameSet(new Set(a.methodVersions), new Set(b.methodVersions)),
    competitors_changed: dependsOnCompetitors && haveChanged(() => '', 'searchedBrands'),
    incomplete: some(({ scans }) => scans.failed > maxFailedShare * scans.total),
    unequal_answers: Math.max(a.units, b.units) > maxAnswersRatio * Math.min(a.units, b.units),
  };
  const noted: Record<NotedReason, boolean> = {
    partial_run: some(({ scans }) => scans.failed > 0),
    prompt_set_changed: some(({ pairedShare }) => pairedShare < minPairedShare),
    short_window: some(({ days }) => days < minDays),
    platform_drift: some(({ cells, driftedPlatforms }) =>
      cells.some(({ platform }) => driftedPlatforms.has(platform)),
    ),
  };
  const applies = { ...blocking, ...noted };
  return {
    reasons: (Object.keys(applies) as ComparisonReason[]).filter((reason) => applies[reason]),
    isComparable: !Object.values(blocking).includes(true),
  };
}

type SetMember = 'models' | 'surfaces' | 'searchedBrands';
