import type { RequestOptions } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { canonicalAddress } from '../domain/address.ts';
import { AttemptError } from './attempt-error.ts';

export type PinnedConnection = {
  hostname: string;
  port: number;
  /** Checked addresses. No other address is connected to. */
  addresses: readonly string[];
  secure: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  /** Certificate authorities to trust instead of the built-in ones. */
  ca?: string | undefined;
};

type CreateConnection = NonNullable<RequestOptions['createConnection']>;
type ConnectionCallback = Parameters<CreateConnection>[1];

export type PinnedConnector = {
  /** For a request or for an agent. */
  createConnection: CreateConnection;
  /** Destroys the sockets it has opened. */
  destroy(): void;
};

/** Connects only to the checked addresses, because the host name may resolve to others by now (DNS rebinding). */
export function pinnedConnector(target: PinnedConnection): PinnedConnector {
  const sockets: Socket[] = [];
  const connect = async (callback: ConnectionCallback): Promise<void> => {
    let socket: Socket;
    try {
      socket = await openSocket(target);
    } catch (error) {
      // The type requires a socket, but node:http ignores it after an error.
      callback(error as Error, undefined as never);
      return;
    }
    sockets.push(socket);
    callback(null, socket);
  };
  return {
    createConnection: (_options, callback) => {
      void connect(callback);
      return undefined;
    },
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function openSocket(target: PinnedConnection): Promise<Socket | TLSSocket> {
  const deadline = AbortSignal.any([target.signal, AbortSignal.timeout(target.timeoutMs)]);
  const socket = dial(target);
  // The HTTP client handles later errors. Without a listener, an error in between would end the process.
  socket.on('error', () => undefined);
  try {
    await waitFor(socket, 'connect', deadline, 'connect_failed');
    const reached = canonicalAddress(socket.remoteAddress ?? '');
    if (!target.addresses.some((address) => canonicalAddress(address) === reached)) {
      throw new AttemptError('address_not_public');
    }
    if (!target.secure) return socket;
    return await startTls(socket, target, deadline);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const minAttemptMs = 250;
/** Allows for one lost first packet, which the kernel sends again after a second. */
const maxAttemptMs = 1_500;

function dial({ hostname, port, addresses, timeoutMs }: PinnedConnection): Socket {
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

async function startTls(socket: Socket, target: PinnedConnection, deadline: AbortSignal): Promise<TLSSocket> {
  const { hostname, ca } = target;
  const tls = connectTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
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
