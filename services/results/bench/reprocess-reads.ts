import { setTimeout as delay } from 'node:timers/promises';
import { maxOtherShare, quantile, startUse } from '@bv/measure';
import { getPage } from './reads.ts';
import { ownId, promptId } from './reprocess-seed.ts';

const readCount = 4;

const week = (today: string, daysAgo: number): Record<string, string> => {
  const day = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10);
  return { from: day(daysAgo + 6), to: day(daysAgo) };
};

/** The reads that clients repeat, each of a week that moves back through the year. */
const reads = (
  today: string,
  turn: number,
): Record<string, [path: string, query: Record<string, string>]> => {
  const window = week(today, (turn * 7) % 350);
  return {
    listMentions: [`brands/${ownId}/mentions`, { ...window, limit: '200' }],
    listPromptResults: [`prompts/${promptId}/results`, { ...window, limit: '50' }],
    listScores: [`brands/${ownId}/scores`, { limit: '90' }],
    listBrandSummaries: ['brands/summary', { limit: '50' }],
  };
};

type Read = { atMs: number; ms: number };
/** The reads by name. */
export type Latencies = Map<string, Read[]>;

/**
 * Sends the reads in turn at a fixed rate until the signal. A slow response delays no later request, so waiting counts as
 * latency. Rejects if any of them failed.
 */
export async function readAtRate(
  base: string,
  { today, perSecond, signal }: { today: string; perSecond: number; signal: AbortSignal },
): Promise<Latencies> {
  const latencies: Latencies = new Map();
  const sent: Promise<void>[] = [];
  const read = async (name: string, path: string, query: Record<string, string>): Promise<void> => {
    const atMs = performance.now();
    const { ms } = await getPage(base, path, query);
    latencies.set(name, [...(latencies.get(name) ?? []), { atMs, ms }]);
  };
  const started = performance.now();
  while (!signal.aborted) {
    const due = started + (sent.length * 1_000) / perSecond;
    await delay(Math.max(0, due - performance.now()));
    const turn = Object.entries(reads(today, Math.floor(sent.length / readCount)));
    const [name, [path, query]] = turn[sent.length % readCount] as (typeof turn)[number];
    const response = read(name, path, query);
    // Awaited at the end with the others.
    response.catch(() => undefined);
    sent.push(response);
  }
  await Promise.all(sent);
  return latencies;
}

/** Joins the reads of several samples. */
export function joinLatencies(samples: readonly Latencies[]): Latencies {
  const names = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return new Map([...names].map((name) => [name, samples.flatMap((sample) => sample.get(name) ?? [])]));
}

const sliceMs = 10_000;
/** A 95th percentile of fewer reads is noise. */
const minReads = 40;

/** Watches the load of others in slices of ten seconds. The returned function keeps the reads of slices without much other load. */
export function watchSlices(force: boolean): () => (all: Latencies) => Latencies {
  const disturbed: { fromMs: number; toMs: number }[] = [];
  let slice = { fromMs: performance.now(), use: startUse() };
  const endSlice = (): void => {
    const { own, others } = slice.use();
    const toMs = performance.now();
    if (!force && others / (own + others) > maxOtherShare) disturbed.push({ fromMs: slice.fromMs, toMs });
    slice = { fromMs: toMs, use: startUse() };
  };
  const timer = setInterval(endSlice, sliceMs);
  const isWithoutOtherLoad = ({ atMs, ms }: Read): boolean =>
    disturbed.every(({ fromMs, toMs }) => atMs >= toMs || atMs + ms <= fromMs);
  return () => {
    clearInterval(timer);
    endSlice();
    return (all) => new Map([...all].map(([name, reads]) => [name, reads.filter(isWithoutOtherLoad)]));
  };
}

/** p50 and p95 of each read before and meanwhile. */
export function compareLatencies(before: Latencies, meanwhile: Latencies) {
  return [...before].map(([name, quiet]) => {
    const busy = meanwhile.get(name) ?? [];
    if (busy.length < minReads) {
      throw new Error(`other load disturbed all but ${busy.length} reads of ${name}: no figures (--force)`);
    }
    const of = (reads: readonly Read[], share: number): number =>
      quantile(
        reads.map(({ ms }) => ms),
        share,
      );
    const at = (share: number) => ({ before: of(quiet, share), meanwhile: of(busy, share) });
    return { name, p50: at(0.5), p95: at(0.95), reads: busy.length };
  });
}
