import type { CursorCodec } from '@bv/cursor';
import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { EncryptionKey } from './domain/secrets.ts';
import type { UrlPolicy } from './domain/public-url.ts';

/** Returns the current time. Tests pass their own. */
export type Clock = () => Date;

/** Resolves a host name to its addresses. Rejects with `DnsFailure`. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Dependencies of the operations. */
export type Context = {
  pool: Pool;
  nats: Nats;
  cursors: CursorCodec;
  now: Clock;
  resolveHost: ResolveHost;
  urlPolicy: UrlPolicy;
  encryptionKeys: readonly EncryptionKey[];
  secretOverlapMs: number;
  rpcTimeoutMs: number;
};
