import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick. */
const tickMs = 10;
const pageBytes = 4_096;

type ProcessStat = { pid: number; name: string; parent: number; cpuMs: number; residentBytes: number };

/** Its name, and the fields from the state of the process on; none when it is gone. */
function readStat(pid: number): { name: string; fields: string[] } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything; the numbers come after the last one.
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
  // Time of children that have ended counts for the parent that has waited for them.
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

/** CPU time of a process and all it has started, ended ones included. */
export function cpuMsOfTree(root: number): number {
  return treeOf(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** The same by the names of the processes: `postgres` is the server with all its connections. */
export function cpuMsByName(root: number): Map<string, number> {
  const byName = Map.groupBy(treeOf(root), ({ name }) => name);
  return new Map([...byName].map(([name, its]) => [name, its.reduce((sum, { cpuMs }) => sum + cpuMs, 0)]));
}

/** CPU time of this process itself and of its children that have ended: what a load generator has taken, and nobody else. */
export function cpuMsSpentHere(): number {
  const { user, system } = process.cpuUsage();
  const fields = readStat(process.pid)?.fields ?? [];
  return (user + system) / 1_000 + (Number(fields[13]) + Number(fields[14])) * tickMs;
}

export function residentBytesOfTree(root: number): number {
  return treeOf(root).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/**
 * Memory a process and all it has started hold for themselves, by the names of the processes, shared buffers and mapped
 * files left out. Those of another user and those that have ended meanwhile count for nothing.
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

/** Shares of all the machine's cores, 0 to 1; `others` with the time that the host of a virtual machine kept for others. */
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

/** Tells what this process and all it starts have taken of the machine since, and what others have. */
export function startUse(): () => MachineUse {
  const start = readUse();
  return () => useBetween(start, readUse());
}

/**
 * Looks every ten seconds, and tells what the whole run was (from its first reading to its last) and the most that
 * `shareOf` gave of any half minute of it: what stops a run for a minute would vanish in the mean of all. A run shorter
 * than that is judged as a whole.
 */
function watchWindows<R>(read: () => R, shareOf: (start: R, end: R) => number) {
  const start = read();
  let recent = [start];
  let most = 0;
  const look = (): R => {
    const now = read();
    const [first] = recent;
    if (first !== undefined && recent.length >= windowReadings) most = Math.max(most, shareOf(first, now));
    recent = [...recent, now].slice(-windowReadings);
    return now;
  };
  const timer = setInterval(look, readEveryMs).unref();
  return (): { start: R; end: R; most: number } => {
    clearInterval(timer);
    const end = look();
    return { start, end, most: Math.max(most, shareOf(start, end)) };
  };
}

/** What `startUse` tells, of a whole run, but `others` is of the half minute in which they took most. */
export function watchMachine(): () => MachineUse {
  const stop = watchWindows(readUse, (start, end) => useBetween(start, end).others);
  return () => {
    const { start, end, most } = stop();
    return { own: useBetween(start, end).own, others: most };
  };
}

/** Where less is wanted in half a minute, what the host keeps of it delays nobody. */
const wantedLeastMs = 3_000;

/**
 * Of the CPU time wanted here, the share (0 to 1) that the host of a virtual machine kept for others in the half minute
 * in which it kept most; 0 where nobody tells.
 */
export function watchHost(): () => number {
  const stop = watchWindows(machineTimes, (start, end) => {
    const busyMs = end.busyMs - start.busyMs;
    return busyMs > wantedLeastMs ? (end.stolenMs - start.stolenMs) / busyMs : 0;
  });
  return () => stop().most;
}

/** What others may take of the machine before figures mean nothing. */
export const othersMost = 0.1;

/** Fails where others have used the machine; `force` lets figures be told all the same. */
export function requireQuiet({ others }: MachineUse, force: boolean): void {
  if (force || others <= othersMost) return;
  throw new Error(
    `others took ${(others * 100).toFixed(0)} % of the machine for a while: no figures (--force)`,
  );
}
