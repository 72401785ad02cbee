import { dayMix } from './day-mix.ts';
import type { ResponseRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

/** Every hundred arrivals contain the whole mix. The run may end within them. */
const minShare = 0.9;

/** Reports a kind of request that is missing, because its figures would be missing too. */
export function checkDay(
  records: readonly ResponseRecord[],
  _data: RunData,
  violations: Violations,
): { facts: string[] } {
  const sent = Map.groupBy(records, ({ phase }) => phase);
  for (const [name, share] of Object.entries(dayMix)) {
    const count = sent.get(name)?.length ?? 0;
    if (count < Math.floor((records.length * share * minShare) / 100)) {
      violations.add('the mix is complete', `${name}: ${count} of ${records.length} requests`);
    }
  }
  return { facts: [`${records.length} requests`] };
}
