import { createConnections } from '../src/dispatcher/connections.ts';
import { send, type SendResult } from '../src/dispatcher/send.ts';
import type { ResolveHost } from '../src/context.ts';
import { createAddressPolicy } from '../src/domain/address.ts';

export type SenderOptions = {
  resolveHost: ResolveHost;
  allow?: string[];
  allowHttp?: boolean;
  connectTimeoutMs?: number;
  totalTimeoutMs?: number;
  connectionMs?: number;
  ca?: string | undefined;
};

export type Sender = {
  resolveHost: ResolveHost;
  /** Makes one attempt, by default of the same endpoint each time. */
  attempt(url: string, endpointId?: string): Promise<SendResult>;
  /** What the metrics counted. */
  counts: { opened: number; reused: number; resent: number };
  close: () => void;
};

/** Sends deliveries without a database. It keeps connections as one process does. */
export function createSender(options: SenderOptions): Sender {
  const { resolveHost, allow = [], allowHttp = false } = options;
  const counts = { opened: 0, reused: 0, resent: 0 };
  const metrics = {
    connectionOpened: () => void (counts.opened += 1),
    connectionReused: () => void (counts.reused += 1),
    resent: () => void (counts.resent += 1),
  };
  const config = {
    WEBHOOKS_CONNECT_TIMEOUT_MS: options.connectTimeoutMs ?? 5_000,
    WEBHOOKS_TOTAL_TIMEOUT_MS: options.totalTimeoutMs ?? 15_000,
    WEBHOOKS_CONNECTION_MS: options.connectionMs ?? 30_000,
    WEBHOOKS_RESPONSE_MAX_BYTES: 16_384,
    WEBHOOKS_EXTRA_CA: options.ca,
  };
  const urlPolicy = { addresses: createAddressPolicy(allow), allowHttp };
  const connections = createConnections({ config, urlPolicy, resolveHost, metrics });
  const ctx = { config, urlPolicy, connections, metrics };
  const { signal } = new AbortController();
  return {
    resolveHost,
    counts,
    attempt: (url, endpointId = 'endpoint') =>
      send({ endpointId, url, headers: {}, body: '{}' }, ctx, signal),
    close: () => connections.close(),
  };
}
