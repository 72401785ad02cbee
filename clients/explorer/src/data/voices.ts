import type { ShareOfVoice } from '@bv/sdk';

export type Voice = { name: string; isOwn: boolean; mentions: number; answers: number; share: number };

/** Shares of several days, from the sums of their mentions: rates are never averaged. Largest first, none without a mention. */
export function addShares(rows: readonly ShareOfVoice[]): Voice[] {
  const total = rows.reduce((sum, { mentions }) => sum + mentions, 0);
  if (total === 0) return [];
  return [...Map.groupBy(rows, ({ brand_id: id }) => id).values()]
    .map((days) => {
      const mentions = days.reduce((sum, row) => sum + row.mentions, 0);
      const answers = days.reduce((sum, row) => sum + row.units_answered, 0);
      const share = Math.round((10_000 * mentions) / total) / 100;
      return { name: days[0]?.name ?? '', isOwn: days[0]?.is_own ?? false, mentions, answers, share };
    })
    .toSorted((a, b) => b.mentions - a.mentions || (a.name < b.name ? -1 : 1));
}
