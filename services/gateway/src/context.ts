import type { Nats } from '@bv/events';
import type { CursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { AccessReader } from './db/access.ts';
import type { Pepper } from './domain/api-key.ts';
import type { RouteTable } from './domain/routes.ts';
import type { AccessLog } from './edge/access-log.ts';
import type { Documents } from './edge/documents.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { Allowance } from './rate-limiting/allowance.ts';
import type { FailedAttempts } from './rate-limiting/failed-attempts.ts';
import type { Usage } from './rate-limiting/usage.ts';
import type { EdgeMetrics } from './telemetry.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** Dependencies of the gateway's own operations. */
export type Context = {
  pool: Pool;
  /** Throws `api_unavailable` until NATS is connected. */
  getNats: () => Nats;
  cursors: CursorCodec;
  usage: Usage;
  peppers: readonly Pepper[];
  now: () => Date;
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
  now: () => Date;
};

/** Dependencies of the operator API. */
export type OperatorContext = {
  config: Config;
  /** The description of the operator API, if the build has written it. */
  operatorDocument: Buffer | undefined;
  /** The site with the pages of operators. */
  documents: Documents;
  log: Logger;
  getNats: () => Nats;
  upstreams: Upstreams;
  now: () => Date;
};
