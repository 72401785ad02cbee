export { findBinaries, type Binary } from './datastores/binaries.ts';
export { dataServerUrl, type DataServer, type DataStoreId } from './datastores/data-server.ts';
export { startBinary } from './datastores/start-binary.ts';
export { freePort, isPortFree } from './processes/ports.ts';
export { startProcess, type ManagedProcess } from './processes/managed-process.ts';
export { settlesWithin, waitUntil } from './processes/wait-until.ts';
export { commandLine } from './processes/command-line.ts';
export { signalQuietly } from './processes/managed-process.ts';
export { isReachableBy, postgresIdentity } from './datastores/run-as.ts';
