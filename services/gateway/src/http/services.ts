import type { ServiceName } from '@bv/contract';

/** Every service that sends and consumes events, by name. */
export const services: readonly ServiceName[] = ['catalog', 'gateway', 'results', 'scans', 'webhooks'];
