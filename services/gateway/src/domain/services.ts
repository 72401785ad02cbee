import type { ServiceName } from '@bv/contract';

/** Every service that consumes events. */
export const servicesWithDeadEvents: readonly ServiceName[] = [
  'catalog',
  'gateway',
  'results',
  'scans',
  'webhooks',
];
