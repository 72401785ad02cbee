import { addBrandWithUnits, createUnit, type UnitBrand } from './check-windows.ts';
import type { Results } from './results.ts';
import { toDay } from './unit-history.ts';

/** Twelve prompts with two answers a day from 20 October to 20 November. From 4 November the first six are found more. */
export async function addComparedBrand(
  results: Results,
  gain = true,
): Promise<UnitBrand & { promptIds: string[] }> {
  let promptIds: string[] = [];
  const days = Array.from({ length: 32 }, (_, offset) => toDay('2026-10-20', offset));
  const create = (ids: readonly string[]) => {
    promptIds = [...ids];
    return days.flatMap((runDate) =>
      ids.map((id, prompt) =>
        createUnit(id, runDate, { position: isFound(runDate, prompt, gain) ? 1 : null }),
      ),
    );
  };
  const brand = await addBrandWithUnits(results, 12, create);
  await brand.importUnits(brand.units);
  return { ...brand, promptIds };
}

const isFound = (day: string, prompt: number, gain: boolean): boolean =>
  (Number(day.slice(-2)) + prompt) % 5 === 0 ||
  (gain && prompt < 6 && day >= '2026-11-04' && (Number(day.slice(-2)) + prompt) % 2 === 0);

/** An experiment on its prompts. */
export const toBody = (promptIds: readonly string[], given: object = {}) => ({
  name: 'New product pages',
  starts_on: '2026-11-04',
  treated: { prompt_ids: promptIds.slice(0, 6) },
  control: { prompt_ids: promptIds.slice(6) },
  pre_days: 14,
  washout_days: 3,
  post_days: 14,
  ...given,
});
