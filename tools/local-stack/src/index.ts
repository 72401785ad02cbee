export { productDatabase } from './database.ts';
export { privateStackOptions, steadyEnvironment } from './private-stack.ts';
export { chooseSource, reopenSource } from './datastores/choose-source.ts';
export {
  dataStoreIds,
  type DataServer,
  type DataStoreId,
  type DataStoreSource,
} from './datastores/data-server.ts';
export { isReachableBy, postgresIdentity } from './datastores/run-as.ts';
export { runDemo } from './demo/run-demo.ts';
export { startProcess, type ManagedProcess } from './processes/managed-process.ts';
export { freePort, isPortFree } from './processes/ports.ts';
export { endRecordedProcesses, recordProcess, runningProcesses } from './processes/process-records.ts';
export { settlesWithin, waitUntil } from './processes/wait-until.ts';
export { startReceiver, type ReceivedRequest, type Receiver, type ReceiverHandler } from './receiver.ts';
export { readStackOptions, type StackOptions } from './config.ts';
export { type ServiceProcess } from './services.ts';
export { startStack, type Stack } from './stack.ts';
