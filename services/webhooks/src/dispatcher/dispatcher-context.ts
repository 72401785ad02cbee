import type { CommonContext } from '../context.ts';
import type { SigningKeys } from '../domain/secrets.ts';
import type { DispatcherMetrics } from '../telemetry.ts';
import type { Connections } from './connections.ts';

/** Dependencies of the dispatcher. */
export type DispatcherContext = CommonContext & {
  metrics: DispatcherMetrics;
  connections: Connections;
  signingKeys: SigningKeys;
  /** Names the process in the log of attempts. */
  dispatcherName: string;
};
