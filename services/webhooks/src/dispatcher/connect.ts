import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Config } from '../config.ts';
import type { CommonContext } from '../context.ts';
import { canonicalAddress, isAddressAllowed } from '../domain/address.ts';
import type { Target } from '../domain/public-url.ts';
import { AttemptError } from './attempt-error.ts';

type CheckContext = Pick<CommonContext, 'resolveHost' | 'urlPolicy'>;
type ConnectSettings = Pick<Config, 'WEBHOOKS_CONNECT_TIMEOUT_MS'>;
export type ConnectContext = CheckContext & { config: ConnectSettings; secureContext: SecureContext };

/**
 * Resolves the host, checks every address, connects to a checked one, and starts TLS for https. No other address is
 * connected to, because the host name may resolve to others by then (DNS rebinding).
 */
export async function openConnection(
  target: Target,
  ctx: ConnectContext,
  stop: AbortSignal,
): Promise<Socket | TLSSocket> {
  const addresses = await checkedAddresses(target, ctx);
  const { WEBHOOKS_CONNECT_TIMEOUT_MS: timeoutMs } = ctx.config;
  const deadline = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  const socket = dial(target, addresses, timeoutMs);
  // The HTTP client handles later errors. Without a listener, an error in between would end the process.
  socket.on('error', () => undefined);
  try {
    await waitFor(socket, 'connect', deadline, 'connect_failed');
    const reached = canonicalAddress(socket.remoteAddress ?? '');
    if (!addresses.some((address) => canonicalAddress(address) === reached)) {
      throw new AttemptError('address_not_public');
    }
    if (target.url.protocol !== 'https:') return socket;
    return await startTls(socket, target.hostname, ctx.secureContext, deadline);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Returns the addresses of the host. Rejects with `address_not_public` when one of them is not public. */
export async function checkedAddresses(target: Target, ctx: CheckContext): Promise<string[]> {
  if (target.address !== null) return [target.address];
  const addresses = await ctx.resolveHost(target.hostname).catch((cause: unknown) => {
    throw new AttemptError('dns_failure', { cause });
  });
  const allowed = addresses.every((address) => isAddressAllowed(address, ctx.urlPolicy.addresses));
  if (!allowed || addresses.length === 0) throw new AttemptError('address_not_public');
  return addresses;
}

const minAttemptMs = 250;
/** Allows for one lost first packet, which the kernel sends again after a second. */
const maxAttemptMs = 1_500;

function dial({ hostname, port }: Target, addresses: readonly string[], timeoutMs: number): Socket {
  const [first = '', ...more] = addresses;
  // Node never calls `lookup` for an address, so a single address is passed as the host.
  if (more.length === 0) return connectTcp({ host: first, port });
  const candidates = addresses.map((address) => ({ address, family: isIP(address) }));
  return connectTcp({
    host: hostname,
    port,
    autoSelectFamily: true,
    // The default of 250 ms per address is less than a handshake with a distant receiver takes. Each address gets an equal
    // share of the deadline, so that an unreachable one leaves time for the others.
    autoSelectFamilyAttemptTimeout: Math.min(
      maxAttemptMs,
      Math.max(minAttemptMs, Math.ceil(timeoutMs / addresses.length)),
    ),
    lookup: (_name, _options, callback) => callback(null, candidates),
  });
}

async function startTls(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext,
  deadline: AbortSignal,
): Promise<TLSSocket> {
  const tls = connectTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext,
  });
  tls.on('error', () => undefined);
  try {
    await waitFor(tls, 'secureConnect', deadline, 'tls_failed');
    return tls;
  } catch (error) {
    tls.destroy();
    throw error;
  }
}

function waitFor(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  deadline: AbortSignal,
  failure: 'connect_failed' | 'tls_failed',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finishWith = (finish: () => void) => () => {
      socket.off(event, onEvent).off('error', onFailure).off('close', onFailure);
      deadline.removeEventListener('abort', onAbort);
      finish();
    };
    const onEvent = finishWith(resolve);
    const onFailure = finishWith(() => reject(new AttemptError(failure)));
    const onAbort = finishWith(() => reject(new AttemptError('timeout')));
    socket.once(event, onEvent).once('error', onFailure).once('close', onFailure);
    deadline.addEventListener('abort', onAbort, { once: true });
    if (deadline.aborted) onAbort();
  });
}
