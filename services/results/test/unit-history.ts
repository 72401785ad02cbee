import type { Unit } from './expected-windows.ts';

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const toDay = (first: string, offset: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + offset * 86_400_000).toISOString().slice(0, 10);

type Plan = {
  random: () => number;
  promptIds: readonly string[];
  countries: readonly string[];
  platforms: readonly string[];
  firstDay: string;
  days: number;
  /** Share of the cells of a day that have units. */
  density: number;
};

/**
 * Units of a brand over some weeks. Cells are asked once or more a day, or not; some platforms give no answer, some
 * mentions have no sentiment; models change or are unknown; prompts start late and end early; some days have no units or
 * no answer.
 */
export function createUnits(plan: Plan): Unit[] {
  const { random } = plan;
  const upTo = (max: number): number => Math.floor(random() * max);
  const chance = (share: number): boolean => random() < share;
  const prompts = plan.promptIds.map((promptId) => ({
    promptId,
    propensity: random(),
    from: chance(0.3) ? upTo(plan.days) : 0,
    to: chance(0.3) ? upTo(plan.days) : plan.days,
  }));
  const modelChange = upTo(plan.days);
  return Array.from({ length: plan.days }, (_, day) => day).flatMap((day) => {
    if (chance(0.1)) return [];
    const isAnswered = !chance(0.05);
    const asked = prompts.filter(({ from, to }) => from <= day && day <= to);
    return asked.flatMap(({ promptId, propensity }) =>
      plan.countries.flatMap((country) =>
        plan.platforms.flatMap((platform, platformIndex) => {
          if (!chance(plan.density)) return [];
          const repeats = chance(0.2) ? 2 + upTo(2) : 1;
          return Array.from({ length: repeats }, (_unused, repeat): Unit => {
            const answered = isAnswered && !chance(0.1);
            const mentioned = answered && chance(propensity);
            const runDate = toDay(plan.firstDay, day);
            const model = platformIndex === 0 && day >= modelChange ? 'model-b' : 'model-a';
            return {
              promptId,
              country,
              platform,
              model: chance(platformIndex === 1 ? 0.9 : 0.02) ? null : model,
              runDate,
              finalizedAt: `${runDate}T10:00:0${repeat}.${String(upTo(1_000_000)).padStart(6, '0')}Z`,
              answered,
              position: mentioned ? 1 + upTo(12) : null,
              sentiment: mentioned && !chance(0.3) ? upTo(10_001) / 100 : null,
              cited: chance(0.3),
              unresolved: chance(0.2),
              competitors: answered ? upTo(3) : 0,
            };
          });
        }),
      ),
    );
  });
}
