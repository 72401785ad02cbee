/** Where a process can be made to die, named by what has just happened there. */
export const crashPoints = [
  'relay.published',
  'consumer.applied',
  'consumer.committed',
  'operation.recorded',
  'operation.committed',
  'unit.answered',
  'unit.ended',
  'delivery.sent',
  'gateway.claimed',
  'gateway.answered',
  'gateway.stored',
] as const;
export type CrashPointName = (typeof crashPoints)[number];

/** For tests alone: the process dies as by `kill -9` where `CRASH_AT` says. A production process refuses to start. */
export function readCrashPoint(env: Record<string, string | undefined>): CrashPointName | undefined {
  const { CRASH_AT: name, NODE_ENV: mode = 'production' } = env;
  if (name === undefined) return undefined;
  if (mode === 'production') throw new Error('CRASH_AT is for tests; NODE_ENV is production');
  const known = crashPoints.find((point) => point === name);
  if (known === undefined) throw new Error('CRASH_AT names no crash point');
  return known;
}

// oxlint-disable-next-line node/no-process-env -- no setting of a service: no configuration may lead to it
const armed = readCrashPoint(process.env);

export function crashPoint(name: CrashPointName): void {
  if (name === armed) process.kill(process.pid, 'SIGKILL');
}
