import type { Nats } from '@bv/events';
import type { CursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { UrlPolicy } from './domain/public-url.ts';
import type { SecretCipher } from './domain/secrets.ts';

/** Returns the current time. Tests pass their own. */
export type Clock = () => Date;

/** Resolves a host name to its addresses. Rejects with `DnsFailure`. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Dependencies of both roles. */
export type CommonContext = {
  config: Config;
  pool: Pool;
  log: Logger;
  now: Clock;
  resolveHost: ResolveHost;
  urlPolicy: UrlPolicy;
  secretCipher: SecretCipher;
};

/** Dependencies of the operations. */
export type Context = CommonContext & { nats: Nats; cursors: CursorCodec };
