import { dayMix } from './day-mix.ts';
import type { AnswerRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

/** Every stretch of a hundred arrivals has all of the mix; the run may end within one. */
const shareLeast = 0.9;

/** Fails when a kind of request of the mix is missing, because its figures would be missing too. */
export function checkDay(
  records: readonly AnswerRecord[],
  _data: RunData,
  violations: Violations,
): { facts: string[] } {
  const sent = Map.groupBy(records, ({ phase }) => phase);
  for (const [name, share] of Object.entries(dayMix)) {
    const count = sent.get(name)?.length ?? 0;
    if (count < Math.floor((records.length * share * shareLeast) / 100)) {
      violations.add('the mix is whole', `${name}: ${count} of ${records.length} requests`);
    }
  }
  return { facts: [`${records.length} requests`] };
}
