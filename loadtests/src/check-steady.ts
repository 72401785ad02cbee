import { median, quantile } from '@bv/measure';
import type { AnswerRecord } from './record.ts';
import type { Violations } from './violations.ts';
import type { MemorySample } from './watch-run.ts';

const mayGrow = 1.25;
/** A collector works in steps of so much; a small process may seem to grow by a large share. */
const slackMegabytes = 30;
const slackMs = 20;

/** The last third of a run must equal its second third; the first is warm-up. Returns the values of both. */
export function checkSteady(
  records: readonly AnswerRecord[],
  { memory, names, wanted }: { memory: readonly MemorySample[]; names: readonly string[]; wanted: number },
  violations: Violations,
): string[] {
  // A process that is away for a while takes the samples of all with it; few say nothing of the whole run.
  if (names.length === 0 || memory.length < wanted * 0.9) {
    violations.add('memory is seen', `${memory.length} samples of ${names.length} processes`);
  }
  const held = names.map((name, index) => {
    const [, middle = 0, last = 0] = thirds(memory).map((part) =>
      median(part.map(({ megabytes }) => megabytes[index] ?? 0)),
    );
    const text = `${name} ${middle.toFixed(0)}, then ${last.toFixed(0)}`;
    if (last > middle * mayGrow + slackMegabytes) violations.add('memory stays', `${text} MB`);
    return text;
  });
  const ordered = records.toSorted((one, other) => one.startMs - other.startMs);
  const [, middle, last] = thirds(ordered).map((part) =>
    quantile(
      part.map(({ durationMs }) => durationMs),
      0.99,
    ),
  );
  if ((last ?? 0) > (middle ?? 0) * 2 + slackMs) {
    violations.add('latency stays', `p99 ${middle?.toFixed(0)} ms, then ${last?.toFixed(0)} ms`);
  }
  return [`memory in the second and the last third, MB: ${held.join('; ')}`];
}

function thirds<T>(all: readonly T[]): T[][] {
  const size = Math.ceil(all.length / 3);
  return [0, 1, 2].map((part) => all.slice(part * size, (part + 1) * size));
}
