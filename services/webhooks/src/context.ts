import type { CursorCodec } from '@bv/cursor';
import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { EncryptionKey } from './domain/secrets.ts';
import type { UrlPolicy } from './domain/public-url.ts';

/** The time as this process sees it; tests pass their own. */
export type Clock = () => Date;

/** The addresses of a host name. Rejects with `DnsFailure`. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** What the operations need. */
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
