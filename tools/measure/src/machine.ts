import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** `/proc` reports CPU time in hundredths of a second, whatever the kernel's own tick is. */
const tickMs = 10;
const pageBytes = 4_096;

type ProcessStat = { pid: number; name: string; parent: number; cpuMs: number; residentBytes: number };

/** Name of a process and its fields from the state on; undefined when it has ended. */
function readStat(pid: number): { name: string; fields: string[] } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character. The numbers follow the last parenthesis.
    const end = text.lastIndexOf(')');
    return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): ProcessStat | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  const field = (index: number): number => Number(stat.fields[index]);
  // The time of ended children counts for the parent that waited for them.
  const ticks = field(11) + field(12) + field(13) + field(14);
  return {
    pid,
    name: stat.name,
    parent: field(1),
    cpuMs: ticks * tickMs,
    residentBytes: field(21) * pageBytes,
  };
}

function treeOf(root: number): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const children = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** CPU time of a process and its descendants, ended ones included, in milliseconds. */
export function cpuMsOfTree(root: number): number {
  return treeOf(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** The same by process name: `postgres` is the server with all its connections. */
export function cpuMsByName(root: number): Map<string, number> {
  const byName = Map.groupBy(treeOf(root), ({ name }) => name);
  return new Map([...byName].map(([name, its]) => [name, its.reduce((sum, { cpuMs }) => sum + cpuMs, 0)]));
}

/** CPU time of this process and its ended children, in milliseconds: the cost of the load generator. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = readStat(process.pid)?.fields ?? [];
  return (user + system) / 1_000 + (Number(fields[13]) + Number(fields[14])) * tickMs;
}

export function residentBytesOfTree(root: number): number {
  return treeOf(root).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/**
 * Private memory of a process and its descendants by process name, without shared buffers and mapped files. Processes of
 * another user and ended ones count as zero.
 */
export function privateBytesByName(root: number): Map<string, number> {
  const byName = Map.groupBy(treeOf(root), ({ name }) => name);
  const sum = (its: ProcessStat[]): number => its.reduce((total, { pid }) => total + privateBytesOf(pid), 0);
  return new Map([...byName].map(([name, its]) => [name, sum(its)]));
}

function privateBytesOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss_Anon: +(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function machineTimes(): { busyMs: number; stolenMs: number } {
  if (!existsSync('/proc/stat')) return { busyMs: 0, stolenMs: 0 };
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1).join('').split(/\s+/);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = ticks.map(Number);
  return {
    busyMs: (user + nice + system + irq + softIrq + steal) * tickMs,
    stolenMs: steal * tickMs,
  };
}

/** Shares of all cores, 0 to 1. `others` is other processes plus CPU steal. */
export type MachineUse = { own: number; others: number };

const readEveryMs = 10_000;
const windowReadings = 3;

type Reading = { at: number; busy: number; own: number };

const readUse = (): Reading => ({
  at: performance.now(),
  busy: machineTimes().busyMs,
  own: cpuMsOfTree(process.pid),
});

function useBetween(start: Reading, end: Reading): MachineUse {
  const capacity = (end.at - start.at) * availableParallelism();
  const own = (end.own - start.own) / capacity;
  return { own, others: Math.max(0, (end.busy - start.busy) / capacity - own) };
}

/** Starts a measurement. The returned function gives the use since then, by this process tree and by others. */
export function startUse(): () => MachineUse {
  const start = readUse();
  return () => useBetween(start, readUse());
}

/**
 * Reads every ten seconds. The returned function gives the first and last reading, and the maximum of `shareOf` over any
 * half minute: a pause of a minute would vanish in the mean of the run. A shorter run is one window.
 */
function watchWindows<R>(read: () => R, shareOf: (start: R, end: R) => number) {
  const start = read();
  let recent = [start];
  let max = 0;
  const readNow = (): R => {
    const now = read();
    const [first] = recent;
    if (first !== undefined && recent.length >= windowReadings) max = Math.max(max, shareOf(first, now));
    recent = [...recent, now].slice(-windowReadings);
    return now;
  };
  const timer = setInterval(readNow, readEveryMs).unref();
  return (): { start: R; end: R; max: number } => {
    clearInterval(timer);
    const end = readNow();
    return { start, end, max: Math.max(max, shareOf(start, end)) };
  };
}

/** Like `startUse` for a whole run, but `others` is the maximum over any half minute. */
export function watchMachine(): () => MachineUse {
  const stop = watchWindows(readUse, (start, end) => useBetween(start, end).others);
  return () => {
    const { start, end, max } = stop();
    return { own: useBetween(start, end).own, others: max };
  };
}

/** Below this CPU time in half a minute, steal does not delay anything. */
const minBusyMs = 3_000;

/** Maximum share of CPU steal in the CPU time requested, 0 to 1, over any half minute; 0 where it is unknown. */
export function watchCpuSteal(): () => number {
  const stop = watchWindows(machineTimes, (start, end) => {
    const busyMs = end.busyMs - start.busyMs;
    return busyMs > minBusyMs ? (end.stolenMs - start.stolenMs) / busyMs : 0;
  });
  return () => stop().max;
}

/** Maximum share of the machine that other load may use before figures are meaningless. */
export const maxOtherShare = 0.1;

/** Throws when other load used too much of the machine. `force` accepts it. */
export function checkIdleMachine({ others }: MachineUse, force: boolean): void {
  if (force || others <= maxOtherShare) return;
  throw new Error(
    `other load used ${(others * 100).toFixed(0)} % of the machine for half a minute: no figures (--force)`,
  );
}
