import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResolveHost } from '../context.ts';

/** The name could not be resolved. `definitive` means that DNS has no such name or no address for it. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  readonly definitive: boolean;

  constructor(hostname: string, definitive: boolean, cause: unknown) {
    super(`no address for ${hostname}`, { cause });
    this.definitive = definitive;
  }
}

/** Codes of c-ares for a definitive DNS answer: no such name, or no record of that type. */
const definitiveCodes = new Set(['ENOTFOUND', 'ENODATA']);

/** A packet may get lost or a name server be down, so the next server is queried after each third of the deadline. */
const maxAttempts = 3;

/** How long the addresses of one family wait for the other one. Some servers never respond to AAAA queries. */
const otherFamilyMs = 300;

/**
 * Queries the name servers directly for IPv4 and IPv6, without hosts file and search domains. Queries can be cancelled,
 * unlike `getaddrinfo` with its few threads. A DNS answer is accepted until the deadline.
 */
export function createResolver(options: { timeoutMs: number; servers: readonly string[] }): ResolveHost {
  return async (hostname) => {
    const queries = createQueries(options);
    const found: string[] = [];
    const query = async (family: Family): Promise<void> => {
      found.push(...(await queries.run((resolver) => resolver[family](hostname))));
    };
    const deadline = setTimeout(queries.cancel, options.timeoutMs);
    try {
      const families = [query('resolve4'), query('resolve6')];
      const all = Promise.allSettled(families);
      const oneFamily = Promise.any(families).then(
        () => sleep(otherFamilyMs, undefined, { ref: false }),
        () => undefined,
      );
      await Promise.race([all, oneFamily]);
      if (found.length > 0) return found;
      const reasons = (await all).flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      throw new DnsFailure(hostname, reasons.every(isDefinitive), reasons[0]);
    } finally {
      clearTimeout(deadline);
      queries.cancel();
    }
  };
}

type Family = 'resolve4' | 'resolve6';

/** Runs queries with staggered attempts. The first DNS answer or `cancel` ends them. */
function createQueries({ timeoutMs, servers }: { timeoutMs: number; servers: readonly string[] }) {
  const resolvers: Resolver[] = [];
  const timers: NodeJS.Timeout[] = [];
  const openResolver = (attempt: number): Resolver => {
    // c-ares makes its second try after a failure only: its own timeout equals the deadline.
    const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 2 });
    const all = servers.length > 0 ? servers : resolver.getServers();
    const first = attempt % Math.max(1, all.length);
    resolver.setServers([...all.slice(first), ...all.slice(0, first)]);
    return resolver;
  };
  const getResolver = (attempt: number): Resolver => (resolvers[attempt] ??= openResolver(attempt));
  const run = (query: (resolver: Resolver) => Promise<string[]>): Promise<string[]> =>
    new Promise((resolve, reject) => {
      let pending = 0;
      let done = false;
      const start = (attempt: number): void => {
        if (done) return;
        pending += 1;
        query(getResolver(attempt)).then(
          (addresses) => {
            done = true;
            resolve(addresses);
          },
          (error: unknown) => {
            pending -= 1;
            if (pending > 0 && !isDefinitive(error)) return;
            done = true;
            reject(error);
          },
        );
      };
      start(0);
      for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
        timers.push(setTimeout(start, (attempt * timeoutMs) / maxAttempts, attempt));
      }
    });
  return {
    run,
    cancel: (): void => {
      for (const timer of timers) clearTimeout(timer);
      for (const resolver of resolvers) resolver.cancel();
    },
  };
}

function isDefinitive(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && definitiveCodes.has(String(error.code))
  );
}
