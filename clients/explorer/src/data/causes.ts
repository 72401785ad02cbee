import type { PlatformDrift, Score } from '@bv/sdk';
import { platformLabel } from '../words/labels.ts';

/** Why a figure may have moved without the brand: other models, or another method. */
export type Cause = { day: string; number: number; text: string };

/** Answers of a row may have been read by several versions. */
export const showMethod = (row: Score): string => row.method_version.replaceAll(',', ' and ');

const modelsOf = ({ models }: Score, platform: string): string[] =>
  models.flatMap((served) => (served.platform === platform && served.model !== null ? [served.model] : []));

function describeModels(row: Score, before: Score, only: string | undefined): string[] {
  const names = new Set(row.models.map(({ platform }) => platform).filter((each) => (only ?? each) === each));
  return [...names].flatMap((platform) => {
    const [now, then] = [modelsOf(row, platform), modelsOf(before, platform)];
    const isNew = then.length > 0 && now.some((model) => !then.includes(model));
    return isNew ? [`${platformLabel(platform)}: ${now.join(', ')} instead of ${then.join(', ')}`] : [];
  });
}

/**
 * The days on which a series gained a model (of one platform, if given) or a method version, or a platform changed the
 * shape of its answers; oldest first. A window that only loses one is no change: its last day with the old one has left
 * it.
 */
export function findCauses(
  rows: readonly Score[],
  platform: string | undefined,
  drift: readonly PlatformDrift[],
): Cause[] {
  const found = rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before === undefined) return [];
    const texts = row.model_changed === true ? describeModels(row, before, platform) : [];
    const versions = row.method_version.split(',');
    if (versions.some((version) => !before.method_version.split(',').includes(version))) {
      texts.push(`method version ${showMethod(row)} instead of ${showMethod(before)}`);
    }
    return texts.length === 0 ? [] : [{ day: row.run_date, text: texts.join('; ') }];
  });
  const first = rows[0]?.run_date ?? '';
  const drifted = drift
    .filter((each) => each.from >= first && (platform ?? each.platform) === each.platform)
    .map(({ from, platform: of, kind }) => ({
      day: from,
      text: `${platformLabel(of)}: its answers to all brands changed their shape (${kind.replaceAll('_', ' ')})`,
    }));
  return [...found, ...drifted]
    .toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)))
    .map((cause, index) => ({ ...cause, number: index + 1 }));
}
