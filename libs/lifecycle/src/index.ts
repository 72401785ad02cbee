export { failpoint, failpoints } from './failpoint.ts';
export type { FailpointName } from './failpoint.ts';
export { startInterval } from './interval.ts';
export type { LifecycleLog } from './close-steps.ts';
export { Lifecycle, createLifecycle } from './lifecycle.ts';
export type { LifecycleOptions } from './lifecycle.ts';
export { createNotifier } from './notifier.ts';
export type { Notifier } from './notifier.ts';
