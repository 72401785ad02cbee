export { startChild, stopChildren } from './children.ts';
export { startDataStores, waitForDisk } from './data-stores.ts';
export { metricOf } from './metric-of.ts';
