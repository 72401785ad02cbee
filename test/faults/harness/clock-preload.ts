import { readFileSync, watchFile } from 'node:fs';

/**
 * Loaded into a service before all else: its wall clock is off by the milliseconds that a file holds, and jumps when
 * they change. The monotonic clock goes on, as it does on a machine whose time is set.
 */
// oxlint-disable-next-line node/no-process-env -- there is no other way into a process that knows nothing of this
const file = process.env['FAULTS_CLOCK_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;

const readOffset = (): void => {
  offsetMs = Number(readFileSync(file, 'utf8'));
};
readOffset();
watchFile(file, { interval: 50, persistent: false }, readOffset);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + offsetMs] : args, newTarget) as Date,
  apply: (target) => new target(target.now() + offsetMs).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name)),
});
