import { median, quantile } from '@bv/measure';
import type { ResponseRecord } from './record.ts';
import type { Violations } from './violations.ts';
import type { MemorySample } from './watch-run.ts';

const maxGrowth = 1.25;
/** Absolute slack, because garbage collection of a small process may look like large growth. */
const slackMegabytes = 30;
const slackMs = 20;

/** Compares the last third of a run with its second third. The first is warm-up. Returns the values of both. */
export function checkSteady(
  records: readonly ResponseRecord[],
  {
    memory,
    names,
    expectedCount,
  }: { memory: readonly MemorySample[]; names: readonly string[]; expectedCount: number },
  violations: Violations,
): string[] {
  // An unreachable process loses the samples of all. Too few samples do not represent the run.
  if (names.length === 0 || memory.length < expectedCount * 0.9) {
    violations.add('memory is sampled', `${memory.length} samples of ${names.length} processes`);
  }
  const memoryByProcess = names.map((name, index) => {
    const [, middle = 0, last = 0] = thirds(memory).map((part) =>
      median(part.map(({ megabytes }) => megabytes[index] ?? 0)),
    );
    const text = `${name} ${middle.toFixed(0)}, then ${last.toFixed(0)}`;
    if (last > middle * maxGrowth + slackMegabytes) violations.add('memory is constant', `${text} MB`);
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
    violations.add('latency is constant', `p99 ${middle?.toFixed(0)} ms, then ${last?.toFixed(0)} ms`);
  }
  return [`memory in the second and the last third, MB: ${memoryByProcess.join('; ')}`];
}

function thirds<T>(all: readonly T[]): T[][] {
  const size = Math.ceil(all.length / 3);
  return [0, 1, 2].map((part) => all.slice(part * size, (part + 1) * size));
}
