export { startChild, stopChildren } from './children.ts';
export { startDataStores, waitForDisk } from './data-stores.ts';
export { readMetric } from './read-metric.ts';
