export { findBinaries, type Binary } from './datastores/binaries.ts';
export { dataServerUrl, type DataServer, type DataStoreId } from './datastores/data-server.ts';
export { isReachableBy, postgresIdentity } from './datastores/run-as.ts';
export { startBinary } from './datastores/start-binary.ts';
export { startProcess, type ManagedProcess } from './processes/managed-process.ts';
export { freePort, isPortFree } from './processes/ports.ts';
export { endRecordedProcesses, recordProcess, runningProcesses } from './processes/process-records.ts';
export { settlesWithin, waitUntil } from './processes/wait-until.ts';
export { startReceiver, type ReceivedRequest, type Receiver, type ReceiverHandler } from './receiver.ts';
