import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResolveHost } from '../context.ts';

/** The name could not be resolved; `definitive` when DNS says that there is no such name or address. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  readonly definitive: boolean;

  constructor(hostname: string, definitive: boolean, cause: unknown) {
    super(`no address for ${hostname}`, { cause });
    this.definitive = definitive;
  }
}

/** What c-ares answers when the name servers have spoken: no such name, or none of that record type. */
const definitive = new Set(['ENOTFOUND', 'ENODATA']);

/** A packet may get lost and a name server may be down: the next server is queried after each third of the deadline. */
const maxAttempts = 3;

/** How long the answer for one family waits for the other: a server that never answers AAAA costs no more than this. */
const otherFamilyMs = 300;

/**
 * Queries the name servers directly, for both families: no hosts file, no search domains, and a query that can be
 * cancelled, which `getaddrinfo` in its few threads cannot. An answer counts until the deadline, however late it comes.
 */
export function createResolver(options: { timeoutMs: number; servers: readonly string[] }): ResolveHost {
  return async (hostname) => {
    const queries = createQueries(options);
    const found: string[] = [];
    const ask = async (family: Family): Promise<void> => {
      found.push(...(await queries.run((resolver) => resolver[family](hostname))));
    };
    const deadline = setTimeout(queries.cancel, options.timeoutMs);
    try {
      const families = [ask('resolve4'), ask('resolve6')];
      const all = Promise.allSettled(families);
      const enough = Promise.any(families).then(
        () => sleep(otherFamilyMs, undefined, { ref: false }),
        () => undefined,
      );
      await Promise.race([all, enough]);
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

/** Queries with attempts that start one after the other and end with the first answer, or with `cancel`. */
function createQueries({ timeoutMs, servers }: { timeoutMs: number; servers: readonly string[] }) {
  const resolvers: Resolver[] = [];
  const timers: NodeJS.Timeout[] = [];
  const openResolver = (attempt: number): Resolver => {
    // The second try of c-ares follows a failure; silence lasts until the deadline.
    const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 2 });
    const all = servers.length > 0 ? servers : resolver.getServers();
    const first = attempt % Math.max(1, all.length);
    resolver.setServers([...all.slice(first), ...all.slice(0, first)]);
    return resolver;
  };
  const resolverOf = (attempt: number): Resolver => (resolvers[attempt] ??= openResolver(attempt));
  const run = (query: (resolver: Resolver) => Promise<string[]>): Promise<string[]> =>
    new Promise((resolve, reject) => {
      let pending = 0;
      let done = false;
      const begin = (attempt: number): void => {
        if (done) return;
        pending += 1;
        query(resolverOf(attempt)).then(
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
      begin(0);
      for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
        timers.push(setTimeout(begin, (attempt * timeoutMs) / maxAttempts, attempt));
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
  return typeof error === 'object' && error !== null && 'code' in error && definitive.has(String(error.code));
}
