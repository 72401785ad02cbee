export { failpoint, failpoints } from './failpoint.ts';
export type { FailpointName } from './failpoint.ts';
export { createNotifier, startInterval } from './interval.ts';
export type { Notifier } from './interval.ts';
export { Lifecycle, createLifecycle } from './lifecycle.ts';
export type { LifecycleLog, LifecycleOptions } from './lifecycle.ts';
