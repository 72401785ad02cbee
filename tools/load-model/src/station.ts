import { Heap } from 'heap-js';

export type Station = {
  /** Ascending times in seconds. */
  arrivals: Iterable<number>;
  /** Seconds of service of the next item. */
  service: () => number;
  servers: number;
  /** Items wait until this second, as after an outage. */
  opensAt?: number;
  /** Items that arrive before this second are served, but not measured. */
  warmUp?: number;
};

export type Observed = {
  /** Number of waiting items: its mean over time, and its percentiles. */
  queue: { mean: number; p50: number; p99: number; max: number };
  /** Seconds until the service of an item starts. */
  wait: { mean: number; p50: number; p99: number };
  /** Second from which on the queue has been empty once after `opensAt`. Absent if it never was. */
  emptyAt: number | undefined;
};

/** Simulates a queue with several servers, in the order of arrival (G/G/c). */
export function simulate({ arrivals, service, servers, opensAt = 0, warmUp = 0 }: Station): Observed {
  const free = new Heap<number>();
  free.init(Array.from({ length: servers }, () => opensAt));
  const [arrived, started]: [number[], number[]] = [[], []];
  for (const at of arrivals) {
    const start = Math.max(at, free.peek() ?? at);
    free.replace(start + service());
    if (at < warmUp) continue;
    arrived.push(at);
    started.push(start);
  }
  const end = arrived.at(-1);
  if (end === undefined) throw new Error('nothing arrived after the warm-up');
  return {
    queue: measureQueue(arrived, started, end),
    wait: measureWait(arrived, started),
    emptyAt: arrived.find((at, index) => at >= opensAt && started[index] === at),
  };
}

/** The number of waiting items at each moment: those that have arrived and not started. */
function measureQueue(
  arrived: readonly number[],
  started: readonly number[],
  end: number,
): Observed['queue'] {
  const secondsByLength: number[] = [];
  let [length, next, now, weighted] = [0, 0, arrived[0] ?? 0, 0];
  const advance = (to: number): void => {
    secondsByLength[length] = (secondsByLength[length] ?? 0) + to - now;
    weighted += length * (to - now);
    now = to;
  };
  for (const at of arrived) {
    for (; (started[next] ?? end) < at; next += 1) {
      advance(started[next] ?? end);
      length -= 1;
    }
    advance(at);
    length += 1;
  }
  const span = end - (arrived[0] ?? 0);
  const percentile = (share: number): number => {
    let seconds = 0;
    for (const [value, time = 0] of secondsByLength.entries()) {
      seconds += time;
      if (seconds >= share * span) return value;
    }
    return secondsByLength.length - 1;
  };
  return {
    mean: weighted / span,
    p50: percentile(0.5),
    p99: percentile(0.99),
    max: secondsByLength.length - 1,
  };
}

function measureWait(arrived: readonly number[], started: readonly number[]): Observed['wait'] {
  const waits = Float64Array.from(started, (start, index) => start - (arrived[index] ?? start)).toSorted();
  const percentile = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? 0;
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  return { mean, p50: percentile(0.5), p99: percentile(0.99) };
}
