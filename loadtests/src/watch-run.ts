import { closeSync, openSync, readSync } from 'node:fs';
import { cpuMsByName, privateBytesByName } from '@bv/measure';
import { readCpuMs, readMegabytesWithoutYoungGeneration } from './metrics.ts';
import type { Target } from './target.ts';
import type { Violations } from './violations.ts';

/** Memory of each watched process, in the order of `names`. */
export type MemorySample = { second: number; megabytes: number[] };

/** CPU milliseconds of each watched process and, if local, of each store. */
type Cpu = { byName: Map<string, number>; startedAt: number[] };

export type RunWatch = {
  /** Processes whose memory is reported: services and, if local, stores. */
  names: string[];
  memory: MemorySample[];
  /** CPU of the run by process. A restarted process is a violation. */
  cpuMs(violations: Violations): Promise<Map<string, number>>;
  /** Stops sampling. Idempotent. */
  stop(): void;
};

const sampleMs = 5_000;
const stores = ['postgres', 'redis-server', 'nats-server'];

async function readCpu({ processes, ownStores }: Target): Promise<Cpu> {
  const spent = await readCpuMs(processes.map(({ url }) => url));
  const byName = new Map(spent.map(({ cpuMs }, index) => [processes[index]?.name ?? '', cpuMs]));
  const here = ownStores ? cpuMsByName(process.pid) : new Map<string, number>();
  for (const store of ownStores ? stores : []) {
    const cpuMs = here.get(store);
    if (cpuMs === undefined) throw new Error(`no process ${store} was started here`);
    byName.set(store, cpuMs);
  }
  return { byName, startedAt: spent.map(({ startedAt }) => startedAt) };
}

type WatchOptions = { target: Target; log: string; seconds: number; report: (text: string) => void };

/** Memory of services without V8's young generation, and private memory of stores, in MB. */
async function readMegabytes({ processes, ownStores }: Target): Promise<number[]> {
  const lasting = await readMegabytesWithoutYoungGeneration(processes.map(({ url }) => url));
  const here = ownStores ? privateBytesByName(process.pid) : new Map<string, number>();
  const kept = ownStores ? stores.map((store) => (here.get(store) ?? 0) / 1_048_576) : [];
  return [...lasting, ...kept];
}

/** Reports progress and samples memory. */
export async function watchRun({ target, log, seconds, report }: WatchOptions): Promise<RunWatch> {
  const begun = performance.now();
  const before = await readCpu(target);
  const memory: MemorySample[] = [];
  const count = countLines(log);
  const timer = setInterval(() => {
    const second = Math.round((performance.now() - begun) / 1_000);
    report(`${second} of ${seconds} s: ${count.lines()} responses`);
    void readMegabytes(target).then(
      (megabytes) => memory.push({ second, megabytes }),
      (error: unknown) => report(`memory was not sampled: ${String(error)}`),
    );
  }, sampleMs);
  return {
    names: [...target.processes.map(({ name }) => name), ...(target.ownStores ? stores : [])],
    memory,
    cpuMs: async (violations) => {
      const after = await readCpu(target);
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

/** Counts the lines of a growing file. */
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

/** Number of samples of a complete run. */
export const expectedSamples = (seconds: number): number => Math.floor((seconds * 1_000) / sampleMs);
