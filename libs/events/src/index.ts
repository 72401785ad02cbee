export { defineEvent } from './define-event.ts';
export type { EventData, Envelope, TypedEnvelope, EventDefinition, Source } from './define-event.ts';
export { events, findEvent } from './registry.ts';
export type { AnyEvent, SourceEvent } from './registry.ts';
export * from './schemas/catalog.ts';
export * from './schemas/gateway.ts';
export * from './schemas/results.ts';
export * from './schemas/scans.ts';

export { connectNats } from './nats/connect.ts';
export type { ConnectOptions, Nats, StreamLimits } from './nats/connect.ts';
export { streamName } from './nats/stream.ts';

export { publishEvent, publishEvents } from './outbox/publish.ts';
export type { Publication } from './outbox/publish.ts';
export { startRelay } from './outbox/relay.ts';
export type { Relay, RelayOptions } from './outbox/relay.ts';
export { EventsUnsentError, flushOutbox } from './outbox/flush.ts';
export type { Published } from './outbox/flush.ts';
export { republish } from './outbox/republish.ts';

export { startConsumer } from './consumer/consumer.ts';
export type { Consumer, ConsumerOptions } from './consumer/consumer.ts';
export type { Batch, SourceBatch, Handlers } from './consumer/handlers.ts';
export { dismissDeadEvent, findDeadEvent, listDeadEvents } from './consumer/dead-events.ts';
export type { DeadEventRow } from './consumer/dead-events.ts';
export { redriveDeadEvent, waitRedriven } from './consumer/redrive.ts';
export type { Redriven } from './consumer/redrive.ts';
export { waitApplied } from './wait-applied.ts';
export type { Applied } from './wait-applied.ts';

export { RpcUnavailable, callRpc, defineRpc, serveRpc } from './rpc/rpc.ts';
export type { RpcReply, RpcRequest, Rpc, RpcServer, ServeOptions } from './rpc/rpc.ts';
export {
  fetchScanPlan,
  findBrandRpc,
  findOrgRpc,
  findPromptRpc,
  marketsRpc,
  newestBrandsLimit,
  newestBrandsRpc,
  scanPlanPageSize,
  scanPlanRpc,
} from './rpc/catalog.ts';
export type { ScanPlan } from './rpc/catalog.ts';
export {
  dismissDeadEventRpc,
  findDeadEventRpc,
  listDeadEventsRpc,
  redriveDeadEventRpc,
  republishRpc,
  serveDeadEvents,
} from './rpc/dead-events.ts';
