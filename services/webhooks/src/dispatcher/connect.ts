import type { RequestOptions } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { canonicalAddress } from '../domain/address.ts';
import { AttemptError } from './attempt-error.ts';

export type PinnedConnection = {
  hostname: string;
  port: number;
  /** Checked before; nothing else is connected to. */
  addresses: readonly string[];
  secure: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  /** Further certificate authorities; the system's when absent. */
  ca?: string | undefined;
};

type CreateConnection = NonNullable<RequestOptions['createConnection']>;
type ConnectionCallback = Parameters<CreateConnection>[1];

export type PinnedConnector = {
  /** For a request, or for an agent that keeps connections to these addresses. */
  createConnection: CreateConnection;
  /** Closes what it has opened. */
  destroy(): void;
};

/** Connects to the checked addresses only, whatever the name resolves to by then. */
export function pinnedConnector(target: PinnedConnection): PinnedConnector {
  const opened: Socket[] = [];
  const hand = async (callback: ConnectionCallback): Promise<void> => {
    let socket: Socket;
    try {
      socket = await open(target);
    } catch (error) {
      // The type of the callback demands a socket next to an error; node:http reads none.
      callback(error as Error, undefined as never);
      return;
    }
    opened.push(socket);
    callback(null, socket);
  };
  return {
    createConnection: (_options, callback) => {
      void hand(callback);
      return undefined;
    },
    destroy: () => {
      for (const socket of opened) socket.destroy();
    },
  };
}

async function open(target: PinnedConnection): Promise<Socket | TLSSocket> {
  const deadline = AbortSignal.any([target.signal, AbortSignal.timeout(target.timeoutMs)]);
  const socket = dial(target);
  // Errors after this function has ended are the HTTP client's; one with no listener would end the process.
  socket.on('error', () => undefined);
  try {
    await settled(socket, 'connect', deadline, 'connect_failed');
    const reached = canonicalAddress(socket.remoteAddress ?? '');
    if (!target.addresses.some((address) => canonicalAddress(address) === reached)) {
      throw new AttemptError('address_not_public');
    }
    if (!target.secure) return socket;
    return await secure(socket, target, deadline);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const attemptLeastMs = 250;
/** With a first packet lost, which the kernel sends again after a second. */
const attemptMostMs = 1_500;

function dial({ hostname, port, addresses, timeoutMs }: PinnedConnection): Socket {
  const [first = '', ...more] = addresses;
  // Node never asks `lookup` about an address, so a single one is given as the host itself.
  if (more.length === 0) return connectTcp({ host: first, port });
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return connectTcp({
    host: hostname,
    port,
    autoSelectFamily: true,
    // Node would give each address but the last 250 ms: less than a handshake with a receiver far away takes. So each
    // has its share of the deadline; where one goes nowhere, the others still get their turn.
    autoSelectFamilyAttemptTimeout: Math.min(
      attemptMostMs,
      Math.max(attemptLeastMs, Math.ceil(timeoutMs / addresses.length)),
    ),
    lookup: (_name, _options, callback) => callback(null, answers),
  });
}

async function secure(socket: Socket, target: PinnedConnection, deadline: AbortSignal): Promise<TLSSocket> {
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
    await settled(tls, 'secureConnect', deadline, 'tls_failed');
    return tls;
  } catch (error) {
    tls.destroy();
    throw error;
  }
}

function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  deadline: AbortSignal,
  failure: 'connect_failed' | 'tls_failed',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => () => {
      socket.off(event, done).off('error', failed).off('close', failed);
      deadline.removeEventListener('abort', late);
      finish();
    };
    const done = end(resolve);
    const failed = end(() => reject(new AttemptError(failure)));
    const late = end(() => reject(new AttemptError('timeout')));
    socket.once(event, done).once('error', failed).once('close', failed);
    deadline.addEventListener('abort', late, { once: true });
    if (deadline.aborted) late();
  });
}
