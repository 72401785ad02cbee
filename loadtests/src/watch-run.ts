import { openSync, readSync } from 'node:fs';
import { cpuMsByName } from '@bv/measure';
import { cpuMsSpent, residentMegabytes } from './metrics.ts';
import type { Target } from './target.ts';

/** Of each watched process, by the order of the target's. */
export type MemorySample = { second: number; megabytes: number[] };

export type Watched = {
  memory: MemorySample[];
  /** CPU milliseconds the run took of each watched process and, where they run here, of each store. */
  cpuMs: Map<string, number>;
};

const sampleMs = 5_000;
const stores = ['postgres', 'redis-server', 'nats-server'];

async function cpuOf({ processes, ownStores }: Target): Promise<Map<string, number>> {
  const spent = await cpuMsSpent(processes.map(({ url }) => url));
  const all = new Map(processes.map(({ name }, index) => [name, spent[index] ?? 0]));
  if (!ownStores) return all;
  const byName = cpuMsByName(process.pid);
  for (const store of stores) all.set(store, byName.get(store) ?? 0);
  return all;
}

type Watching = { target: Target; log: string; seconds: number; say: (text: string) => void };

/** Says how far the run is, and samples what it has to stay within. Stopping throws what it could not see. */
export async function watchRun({ target, log, seconds, say }: Watching): Promise<() => Promise<Watched>> {
  const begun = performance.now();
  const before = await cpuOf(target);
  const memory: MemorySample[] = [];
  const urls = target.processes.map(({ url }) => url);
  const buffer = Buffer.alloc(1_048_576);
  const file = openSync(log, 'r');
  let answers = 0;
  const timer = setInterval(() => {
    const second = Math.round((performance.now() - begun) / 1_000);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      answers += buffer.subarray(0, read).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0);
    }
    say(`${second} of ${seconds} s: ${answers} answers`);
    void residentMegabytes(urls).then(
      (megabytes) => memory.push({ second, megabytes }),
      (error: unknown) => say(`memory was not seen: ${String(error)}`),
    );
  }, sampleMs);
  return async () => {
    clearInterval(timer);
    const after = await cpuOf(target);
    const cpuMs = new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
    return { memory, cpuMs };
  };
}
