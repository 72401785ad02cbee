/** Places where a test can kill a process. Each is named after what has just happened. */
export const failpoints = [
  'relay.published',
  'consumer.applied',
  'consumer.committed',
  'operation.recorded',
  'operation.committed',
  'unit.answered',
  'unit.ended',
  'unit.committed',
  'delivery.sent',
  'reprocess.day_replaced',
  'reprocess.day_committed',
  'reprocess.job_ended',
  'purge.batch_committed',
  'retention.days_hidden',
  'retention.batch_committed',
  'gateway.idempotency_acquired',
  'gateway.answered',
  'gateway.stored',
] as const;
export type FailpointName = (typeof failpoints)[number];

/** For tests only: the failpoint named by `CRASH_AT` kills the process as `kill -9` does. Throws in production. */
export function readFailpoint(env: Record<string, string | undefined>): FailpointName | undefined {
  const { CRASH_AT: name, NODE_ENV: mode = 'production' } = env;
  if (name === undefined) return undefined;
  if (mode === 'production') throw new Error('CRASH_AT is for tests; NODE_ENV is production');
  const found = failpoints.find((point) => point === name);
  if (found === undefined) throw new Error('CRASH_AT is not the name of a failpoint');
  return found;
}

// oxlint-disable-next-line node/no-process-env -- not part of any service's configuration
const armed = readFailpoint(process.env);

export function failpoint(name: FailpointName): void {
  if (name === armed) process.kill(process.pid, 'SIGKILL');
}
