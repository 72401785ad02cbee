import { parentPort, workerData } from 'node:worker_threads';
import { attackStrings, type Pattern } from './regex-source.ts';

export type Timing = { index: number; worstMs: number; at: string };

const { patterns, length, limitMs } = workerData as { patterns: Pattern[]; length: number; limitMs: number };

/** Milliseconds of the fastest of three attempts, which excludes delays by a busy machine. */
function measureTime(pattern: RegExp, text: string): number {
  let best = Infinity;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const from = performance.now();
    pattern.lastIndex = 0;
    if (pattern.global) text.replace(pattern, '');
    else pattern.test(text);
    best = Math.min(best, performance.now() - from);
    if (best < 5) break;
  }
  return best;
}

for (const [index, pattern] of patterns.entries()) {
  parentPort?.postMessage({ begun: index });
  const compiled = new RegExp(pattern.source, pattern.flags);
  const worst = { index, worstMs: 0, at: '' };
  for (const text of attackStrings(pattern, length)) {
    const ms = measureTime(compiled, text);
    if (worst.worstMs > limitMs) break;
    if (ms > worst.worstMs) Object.assign(worst, { worstMs: ms, at: JSON.stringify(text.slice(0, 24)) });
  }
  parentPort?.postMessage(worst);
}
