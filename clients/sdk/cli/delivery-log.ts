import type { BrandVisibilityClient, Delivery } from '@bv/sdk';

type ReadOptions = { endpointId: string; signal: AbortSignal };

/** How long after its `created_at` a delivery may appear: its transaction ends later. */
const lateMs = 60_000;
const pageRows = 50;
const maxNew = 1_000;

/** The delivery log of an endpoint, which it reads from its newest end. */
export class DeliveryLog {
  readonly #client: BrandVisibilityClient;
  readonly #options: ReadOptions;
  /** Older rows are not read. */
  #fromMs = 0;
  /** Ids of rows from `fromMs` on that were handled, with their `created_at`. */
  readonly #handled = new Map<string, number>();

  constructor(client: BrandVisibilityClient, options: ReadOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Starts at this time, or behind the newest delivery. */
  async start(sinceMs: number | undefined): Promise<void> {
    const { endpointId, signal } = this.#options;
    const { data } = await this.#client.listDeliveries({ endpointId, limit: 1 }, { signal }).page();
    if (sinceMs !== undefined) {
      this.#fromMs = sinceMs;
      return;
    }
    const [newest] = data;
    if (newest === undefined) return;
    this.#fromMs = Date.parse(newest.created_at) - lateMs;
    const { deliveries } = await this.readNew();
    for (const delivery of deliveries) {
      // What was created in the meantime is new.
      if (Date.parse(delivery.created_at) <= Date.parse(newest.created_at)) this.markHandled(delivery);
    }
  }

  /** Returns deliveries that were not handled, oldest first. `isCut` when there are too many: the older ones are omitted. */
  async readNew(): Promise<{ deliveries: Delivery[]; isCut: boolean }> {
    const { endpointId, signal } = this.#options;
    const found: Delivery[] = [];
    const list = this.#client.listDeliveries({ endpointId, include: 'event', limit: pageRows }, { signal });
    for await (const delivery of list) {
      if (Date.parse(delivery.created_at) < this.#fromMs) break;
      if (this.#handled.has(delivery.id)) continue;
      if (found.length === maxNew) {
        // Omitted rows stay omitted at the next read.
        this.#fromMs = Date.parse(found.at(-1)?.created_at ?? delivery.created_at);
        return { deliveries: found.toReversed(), isCut: true };
      }
      found.push(delivery);
    }
    return { deliveries: found.toReversed(), isCut: false };
  }

  markHandled({ id, created_at: createdAt }: Delivery): void {
    const createdMs = Date.parse(createdAt);
    this.#handled.set(id, createdMs);
    this.#fromMs = Math.max(this.#fromMs, createdMs - lateMs);
    for (const [handled, ms] of this.#handled) if (ms < this.#fromMs) this.#handled.delete(handled);
  }
}
