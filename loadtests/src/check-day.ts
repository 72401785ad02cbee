import { dayMix } from './day-mix.ts';
import type { AnswerRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

/** Every stretch of a hundred arrivals has all of the mix; the run may end within one. */
const shareLeast = 0.9;

/** A partner's day has its whole mix: what was left out would have no figure that anybody misses. */
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
