export { defineEvent } from './define-event.ts';
export type { EventData, Envelope, TypedEnvelope, EventDefinition, Source } from './define-event.ts';
export { events, findEvent } from './registry.ts';
export type { AnyEvent, SourceEvent } from './registry.ts';
export * from './schemas/catalog.ts';
export * from './schemas/gateway.ts';
export * from './schemas/results.ts';
export * from './schemas/scans.ts';

export { connectNats } from './nats/connect.ts';
export type { ConnectOptions, Nats } from './nats/connect.ts';
export { streamName } from './nats/stream.ts';

export { publishEvent, publishEvents, republish } from './outbox/publish.ts';
export type { Publication } from './outbox/publish.ts';
export { startRelay } from './outbox/relay.ts';
export type { Relay, RelayOptions } from './outbox/relay.ts';

export { startConsumer } from './consumer/consumer.ts';
export type { Batch, Consumer, ConsumerOptions, Handlers, SourceBatch } from './consumer/consumer.ts';
export {
  dismissDeadLetterEvent,
  findDeadLetterEvent,
  listDeadLetterEvents,
  redriveDeadLetterEvent,
  waitRedriven,
} from './consumer/dead-letter-events.ts';
export type { DeadLetterEventRow, Redriven } from './consumer/dead-letter-events.ts';
export { EventsUnsentError, flushOutbox, waitApplied } from './wait.ts';
export type { Applied, Published } from './wait.ts';

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
export { platformDriftRpc } from './rpc/results.ts';
export {
  findAllowanceRpc,
  findAnswerPricesRpc,
  judgeAnswerRpc,
  judgeNamesRpc,
  listAnswersRpc,
} from './rpc/scans.ts';
export {
  dismissDeadLetterEventRpc,
  findDeadLetterEventRpc,
  listDeadLetterEventsRpc,
  redriveDeadLetterEventRpc,
  republishRpc,
  serveDeadLetterEvents,
} from './rpc/dead-letter-events.ts';
export { findNamesRpc } from './rpc/names.ts';
export { dropPurged, isPurged, recordPurge, unlessPurged } from './purge/org-purges.ts';
export { startPurges } from './purge/purge-orgs.ts';
export { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from './purge/purge-plan.ts';
export { findPurgeRpc, servePurges } from './rpc/purges.ts';
export { maxCounted, serveStatus, statusRpc } from './rpc/status.ts';
export { listConsumerBacklogs } from './consumer/backlog.ts';
export type { ConsumerBacklog } from './consumer/backlog.ts';
