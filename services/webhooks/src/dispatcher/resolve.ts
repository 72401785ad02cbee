import { Resolver } from 'node:dns/promises';
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

/**
 * Asks the name servers themselves, for both families: no hosts file, no search domains, and a query that can be given
 * up, which `getaddrinfo` in its few threads cannot.
 */
export function createResolver(options: { timeoutMs: number; servers: readonly string[] }): ResolveHost {
  const { timeoutMs, servers } = options;
  return async (hostname) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      const reasons = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason as unknown] : [],
      );
      throw new DnsFailure(hostname, reasons.every(isDefinitive), reasons[0]);
    } finally {
      clearTimeout(deadline);
    }
  };
}

function isDefinitive(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && definitive.has(String(error.code));
}
