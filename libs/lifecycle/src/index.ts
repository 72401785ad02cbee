export type { LifecycleLog } from './close-steps.ts';
export { Lifecycle, createLifecycle } from './lifecycle.ts';
export type { LifecycleOptions } from './lifecycle.ts';
