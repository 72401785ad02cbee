import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import type { Target } from '../domain/public-url.ts';
import type { DispatcherMetrics } from '../telemetry.ts';
import { type ConnectContext, openConnection } from './connect.ts';

/** Shorter than the keep-alive of most servers, so that few requests meet a connection that is being closed. */
const idleMs = 4_000;
/** With TLS, an idle connection takes about 50 KB. */
const maxIdle = 500;

type Settings = Pick<Config, 'WEBHOOKS_CONNECTION_MS' | 'WEBHOOKS_TOTAL_TIMEOUT_MS'>;
type KeptContext = ConnectContext & {
  config: Settings;
  metrics: Pick<DispatcherMetrics, 'connectionOpened' | 'connectionReused'>;
};
export type ConnectionsContext = Omit<KeptContext, 'secureContext'> & {
  config: Pick<Config, 'WEBHOOKS_EXTRA_CA'>;
};

/** The kept connections of a process. An endpoint has no more than attempts in flight, which the leases limit. */
export type Connections = {
  /** Opens or reuses connections of the endpoint to this URL. Idle ones to an earlier URL are closed. */
  agentOf(endpointId: string, target: Target): Agent;
  /** Closes the idle connections of an endpoint. */
  closeIdle(endpointId: string): void;
  /** Closes the connection after its request. */
  closeAfter(socket: Socket): void;
  close(): void;
};

export function createConnections(parts: ConnectionsContext): Connections {
  // Certificate authorities to trust instead of the built-in ones. Reading them again for each connection takes 0.3 ms.
  const { WEBHOOKS_EXTRA_CA: ca } = parts.config;
  const ctx: KeptContext = { ...parts, secureContext: createSecureContext(ca === undefined ? {} : { ca }) };
  const agents = new Map<string, EndpointAgent>();
  const idle = new Set<Socket>();
  const unsafe = new WeakSet<Socket>();
  const stopping = new AbortController();
  const openAgent = (endpointId: string, target: Target): EndpointAgent => {
    const agent: EndpointAgent = new EndpointAgent(target, {
      ctx,
      idle,
      unsafe,
      stop: stopping.signal,
      isCurrent: () => agents.get(endpointId) === agent && !stopping.signal.aborted,
      onEmpty: () => {
        if (agents.get(endpointId) === agent) agents.delete(endpointId);
      },
    });
    agents.set(endpointId, agent);
    return agent;
  };
  return {
    agentOf: (endpointId, target) => {
      const agent = agents.get(endpointId);
      if (agent?.url === target.url.href) return agent;
      agent?.closeIdle();
      return openAgent(endpointId, target);
    },
    closeIdle: (endpointId) => agents.get(endpointId)?.closeIdle(),
    closeAfter: (socket) => void unsafe.add(socket),
    close: () => {
      stopping.abort();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

type Owner = {
  ctx: KeptContext;
  /** Idle connections of all endpoints, the longest idle first. */
  idle: Set<Socket>;
  /** Connections that no further request may use. */
  unsafe: WeakSet<Socket>;
  stop: AbortSignal;
  /** False when the endpoint has another URL, or the process stops. */
  isCurrent: () => boolean;
  onEmpty: () => void;
};

/** Connections of one endpoint to one URL, each to an address that was checked when it was opened. */
class EndpointAgent extends Agent {
  readonly url: string;
  readonly #target: Target;
  readonly #owner: Owner;
  readonly #reusableMs: number;
  readonly #openedAt = new Map<Socket, number>();
  #opening = 0;

  constructor(target: Target, owner: Owner) {
    // An attempt may take until its deadline, so the last one starts as much earlier.
    const { WEBHOOKS_CONNECTION_MS: maxAgeMs, WEBHOOKS_TOTAL_TIMEOUT_MS: attemptMs } = owner.ctx.config;
    const { protocol } = target.url;
    const keepAlive = maxAgeMs > attemptMs;
    super({ protocol, defaultPort: protocol === 'https:' ? 443 : 80, keepAlive, timeout: idleMs });
    this.url = target.url.href;
    this.#target = target;
    this.#owner = owner;
    this.#reusableMs = maxAgeMs - attemptMs;
  }

  override getName(): string {
    return this.url;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    const { ctx, stop } = this.#owner;
    this.#opening += 1;
    const opened = (socket: Socket): void => {
      this.#opening -= 1;
      this.#openedAt.set(socket, performance.now());
      socket.once('close', () => this.#forget(socket));
      ctx.metrics.connectionOpened();
      callback?.(null, socket);
    };
    const failed = (error: Error): void => {
      this.#opening -= 1;
      this.#reportEmpty();
      // The type requires a socket, but node:http ignores it after an error.
      callback?.(error, undefined as never);
    };
    openConnection(this.#target, ctx, stop).then(opened, failed);
  }

  override keepSocketAlive(socket: Socket): boolean {
    const { idle, unsafe, isCurrent } = this.#owner;
    const leftMs = Math.floor((this.#openedAt.get(socket) ?? 0) + this.#reusableMs - performance.now());
    if (leftMs <= 0 || unsafe.has(socket) || !isCurrent()) return false;
    // False when the receiver announces to close it at once (`Keep-Alive: timeout`).
    const isKept = super.keepSocketAlive(socket) as unknown as boolean;
    if (!isKept) return false;
    if (leftMs < (socket.timeout ?? idleMs)) socket.setTimeout(leftMs);
    idle.add(socket);
    const [first] = idle;
    if (idle.size > maxIdle) first?.destroy();
    return true;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    this.#owner.idle.delete(socket);
    this.#owner.ctx.metrics.connectionReused();
    super.reuseSocket(socket, request);
  }

  closeIdle(): void {
    for (const socket of this.freeSockets[this.url] ?? []) socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#openedAt.delete(socket);
    this.#owner.idle.delete(socket);
    this.#reportEmpty();
  }

  #reportEmpty(): void {
    if (this.#openedAt.size + this.#opening === 0) this.#owner.onEmpty();
  }
}
