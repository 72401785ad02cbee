import { closeSync, openSync, readSync } from 'node:fs';
import { cpuMsByName, privateBytesByName } from '@bv/measure';
import { cpuMsSpent, lastingMegabytes } from './metrics.ts';
import type { Target } from './target.ts';
import type { Violations } from './violations.ts';

/** Of each that is watched, in the order of their names. */
export type MemorySample = { second: number; megabytes: number[] };

/** CPU milliseconds of each watched process and, where they run here, of each store. */
type Cpu = { byName: Map<string, number>; startedAt: number[] };

export type RunWatch = {
  /** Processes whose memory is reported: the target's and, where they run here, the stores. */
  names: string[];
  memory: MemorySample[];
  /** What the run took of each; processes that restarted meanwhile are violations. */
  cpuMs(violations: Violations): Promise<Map<string, number>>;
  /** Ends the watch; may be called again. */
  stop(): void;
};

const sampleMs = 5_000;
const stores = ['postgres', 'redis-server', 'nats-server'];

async function cpuOf({ processes, ownStores }: Target): Promise<Cpu> {
  const spent = await cpuMsSpent(processes.map(({ url }) => url));
  const byName = new Map(spent.map(({ cpuMs }, index) => [processes[index]?.name ?? '', cpuMs]));
  const here = ownStores ? cpuMsByName(process.pid) : new Map<string, number>();
  for (const store of ownStores ? stores : []) {
    const cpuMs = here.get(store);
    if (cpuMs === undefined) throw new Error(`no process ${store} was started here`);
    byName.set(store, cpuMs);
  }
  return { byName, startedAt: spent.map(({ startedAt }) => startedAt) };
}

type Watching = { target: Target; log: string; seconds: number; say: (text: string) => void };

/** Of services without V8's young generation, of stores without what they share or map. */
async function megabytesOf({ processes, ownStores }: Target): Promise<number[]> {
  const lasting = await lastingMegabytes(processes.map(({ url }) => url));
  const here = ownStores ? privateBytesByName(process.pid) : new Map<string, number>();
  const kept = ownStores ? stores.map((store) => (here.get(store) ?? 0) / 1_048_576) : [];
  return [...lasting, ...kept];
}

/** Says how far the run is, and samples what it has to stay within. */
export async function watchRun({ target, log, seconds, say }: Watching): Promise<RunWatch> {
  const begun = performance.now();
  const before = await cpuOf(target);
  const memory: MemorySample[] = [];
  const count = countLines(log);
  const timer = setInterval(() => {
    const second = Math.round((performance.now() - begun) / 1_000);
    say(`${second} of ${seconds} s: ${count.lines()} answers`);
    void megabytesOf(target).then(
      (megabytes) => memory.push({ second, megabytes }),
      (error: unknown) => say(`memory was not seen: ${String(error)}`),
    );
  }, sampleMs);
  return {
    names: [...target.processes.map(({ name }) => name), ...(target.ownStores ? stores : [])],
    memory,
    cpuMs: async (violations) => {
      const after = await cpuOf(target);
      target.processes.forEach(({ name }, index) => {
        if (after.startedAt[index] !== before.startedAt[index]) violations.add('no process restarts', name);
      });
      return new Map([...after.byName].map(([name, ms]) => [name, ms - (before.byName.get(name) ?? 0)]));
    },
    stop: () => {
      clearInterval(timer);
      count.close();
    },
  };
}

/** Of a file that grows. */
function countLines(path: string): { lines(): number; close(): void } {
  const buffer = Buffer.alloc(1_048_576);
  const file = openSync(path, 'r');
  let lines = 0;
  return {
    lines: () => {
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
        lines += buffer.subarray(0, read).reduce((found, byte) => found + (byte === 10 ? 1 : 0), 0);
      }
      return lines;
    },
    close: () => closeSync(file),
  };
}

/** How many samples a whole run gives. */
export const samplesOf = (seconds: number): number => Math.floor((seconds * 1_000) / sampleMs);
