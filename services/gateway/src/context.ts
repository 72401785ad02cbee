import type { CursorCodec } from '@bv/cursor';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { AccessReader } from './access/access-reader.ts';
import type { Usage } from './access/usage.ts';
import type { Config } from './config.ts';
import type { Pepper } from './domain/api-key.ts';
import type { RouteTable } from './domain/routes.ts';
import type { AccessLog } from './edge/access-log.ts';
import type { Documents } from './edge/documents.ts';
import type { Messaging } from './events/messaging.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { Allowance } from './redis/allowance.ts';
import type { FailedAttempts } from './redis/failed-attempts.ts';
import type { EdgeMetrics } from './telemetry.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** Dependencies of the gateway's own operations. */
export type Context = {
  pool: Pool;
  messaging: Messaging;
  cursors: CursorCodec;
  usage: Usage;
  peppers: readonly Pepper[];
};

/** Dependencies of the steps of the edge. */
export type EdgeContext = {
  config: Config;
  log: Logger;
  accessLog: AccessLog;
  edgeMetrics: EdgeMetrics;
  routes: RouteTable;
  documents: Documents;
  access: AccessReader;
  failedAttempts: FailedAttempts;
  allowance: Allowance;
  usage: Usage;
  idempotency: IdempotencyStore;
  upstreams: Upstreams;
};
