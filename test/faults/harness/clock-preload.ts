import { readFileSync, watchFile } from 'node:fs';

/**
 * Preloaded into a service: adds the milliseconds in a file to its wall clock, and jumps when the file changes.
 * The monotonic clock is not affected, as on a machine whose time is set.
 */
// oxlint-disable-next-line node/no-process-env -- the service has no setting for this
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
