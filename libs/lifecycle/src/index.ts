export { crashPoint, crashPoints } from './crash-point.ts';
export type { CrashPointName } from './crash-point.ts';
export { startInterval } from './interval.ts';
export type { LifecycleLog } from './close-steps.ts';
export { Lifecycle, createLifecycle } from './lifecycle.ts';
export type { LifecycleOptions } from './lifecycle.ts';
export { createPause } from './pause.ts';
export type { Pause } from './pause.ts';
