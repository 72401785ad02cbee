import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import {
  connectNats,
  findNamesRpc,
  orgChanged,
  type PurgePlan,
  recordPurge,
  serveDeadLetterEvents,
  servePurges,
  serveRpc,
  serveStatus,
  startConsumer,
  startPurges,
  startRelay,
} from '@bv/events';
import type { Nats, RpcReply, RpcRequest, TypedEnvelope } from '@bv/events';
import type { Pool, Transaction } from '@bv/postgres';
import type { natsOptions } from '@bv/service';
import type { Logger, Metrics } from '@bv/telemetry';
import { listOrgNames, upsertOrgAccess } from '../db/org-access.ts';
import { listPartnerNames } from '../db/partners.ts';

const service = 'gateway';
const retryMs = 1_000;

type MessagingOptions = {
  server: ReturnType<typeof natsOptions>;
  pool: Pool;
  purgePlan: PurgePlan;
  log: Logger;
  metrics: Metrics;
};

/** Relay and consumers. The public API does not need them, so the gateway serves before NATS is available. */
export type Messaging = {
  /** Throws `api_unavailable` until NATS is connected. */
  getNats: () => Nats;
  /** Resolves when relay and consumers run, or after `waitMs`. */
  firstReady(waitMs: number): Promise<void>;
  stop(): Promise<void>;
};

export function startMessaging(options: MessagingOptions): Messaging {
  const stopping = new AbortController();
  const connection = new MessagingConnection(options, stopping.signal);
  const connected = connection.run();
  return {
    getNats: () => {
      if (connection.nats === undefined)
        throw new ApiError('api_unavailable', { message: 'NATS cannot be reached now' });
      return connection.nats;
    },
    firstReady: (waitMs) => Promise.race([connected, sleep(waitMs, undefined, { ref: false })]),
    stop: async () => {
      stopping.abort();
      await connected;
      await connection.close();
    },
  };
}

class MessagingConnection {
  nats: Nats | undefined;
  readonly #options: MessagingOptions;
  readonly #signal: AbortSignal;
  #closers: (() => unknown)[] = [];

  constructor(options: MessagingOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Retries until everything is connected or the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        return await this.#connect();
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#options.log.warn({ err: error }, 'messaging is not connected yet; retrying');
        await this.close();
        await sleep(retryMs, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  async #connect(): Promise<void> {
    const { server, pool, purgePlan, log, metrics } = this.#options;
    const nats = await connectNats({ ...server, name: service, log, signal: this.#signal });
    this.#closers.push(() => nats.close());
    this.nats = nats;
    const common = { pool, nats, service, log, metrics };
    const relay = await startRelay(common);
    this.#closers.push(() => relay.stop());
    const deadLetterEvents = serveDeadLetterEvents(common);
    this.#closers.push(() => deadLetterEvents.stop());
    const status = serveStatus(common);
    this.#closers.push(() => status.stop());
    const purges = startPurges({ ...common, plan: purgePlan });
    this.#closers.push(() => purges.stop());
    const report = servePurges({ ...common, plan: purgePlan });
    this.#closers.push(() => report.stop());
    const names = serveRpc(nats, findNamesRpc, (ids) => findNames(pool, ids), { queue: service, log });
    this.#closers.push(() => names.stop());
    const handlers = { [orgChanged.type]: onOrgChanged };
    const consumer = await startConsumer({ ...common, source: 'catalog', handlers });
    this.#closers.push(() => consumer.stop());
  }

  /** Closes everything in reverse order. A failure does not keep the rest open. */
  async close(): Promise<void> {
    const closers = this.#closers.toReversed();
    this.#closers = [];
    this.nats = undefined;
    for (const close of closers) {
      try {
        await close();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'a part of messaging could not be closed');
      }
    }
  }
}

type NamedIds = RpcRequest<typeof findNamesRpc>;
type Names = RpcReply<typeof findNamesRpc>;

async function findNames(pool: Pool, { partner_ids, org_ids }: NamedIds): Promise<Names> {
  const [partners, orgs] = await Promise.all([
    listPartnerNames(pool, partner_ids),
    listOrgNames(pool, org_ids),
  ]);
  const byId = (rows: { id: string; name: string }[]): Record<string, string> =>
    Object.fromEntries(rows.map(({ id, name }) => [id, name]));
  return { partners: byId(partners), orgs: byId(orgs) };
}

async function onOrgChanged(tx: Transaction, envelope: TypedEnvelope<typeof orgChanged>): Promise<void> {
  await upsertOrgAccess(tx, envelope.version, envelope.data);
  await recordPurge(tx, envelope.data);
}
