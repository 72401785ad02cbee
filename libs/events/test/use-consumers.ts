import { execute, transaction, type Transaction } from '@bv/postgres';
import { startNats, type TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  type Consumer,
  type ConsumerOptions,
  flushOutbox,
  type Nats,
  publishEvent,
  type Relay,
  startConsumer,
  startRelay,
  waitApplied,
} from '../src/index.ts';
import { brandData, log, metrics, openDatabase, type TestDatabase } from './service.ts';
import { deleteStream } from './stream.ts';

export type CatalogOptions = ConsumerOptions<'catalog'>;

export const someBrands = (count: number) =>
  Array.from({ length: count }, () => ({ data: brandData(), version: 1 }));

export async function countEffect(tx: Transaction, id: string): Promise<void> {
  await execute(tx, {
    name: 'count-effect',
    text: `insert into effects (id, times) values ($1, 1) on conflict (id) do update set times = effects.times + 1`,
    values: [id],
  });
}

export const counting: CatalogOptions['handlers'] = {
  [brandChanged.type]: (tx, { data }) => countEffect(tx, data.id),
};

/** One NATS server for the tests of a file. Each test has its own database, relay and consumers of catalog events. */
class Consumers {
  declare server: TestServer;
  declare nats: Nats;
  declare db: TestDatabase;
  declare relay: Relay;
  running: Consumer[] = [];

  readonly consume = async (options: Partial<CatalogOptions>): Promise<Consumer> => {
    const { nats, db } = this;
    const common = { pool: db.pool, nats, service: 'evtest', source: 'catalog' as const, log, metrics };
    const consumer = await startConsumer({ ...common, handlers: {}, ...options });
    this.running.push(consumer);
    return consumer;
  };

  readonly publishBrands = async (brands: ReturnType<typeof someBrands>): Promise<string[]> =>
    transaction(this.db.pool, async (tx) => {
      const ids: string[] = [];
      for (const { data, version } of brands) {
        ids.push(await publishEvent(tx, brandChanged, { aggregateId: data.id, version, data }));
      }
      return ids;
    });

  readonly publishAndApply = async (count: number): Promise<string[]> => {
    const ids = await this.publishBrands(someBrands(count));
    const published = await flushOutbox({ pool: this.db.pool, ids, timeoutMs: 10_000 });
    expect(await waitApplied({ nats: this.nats, published, timeoutMs: 20_000 })).toEqual({ ok: true });
    return ids;
  };

  /** Number of brands with an effect, and the highest number of effects of one. */
  readonly effects = async (): Promise<{ rows: number; most: number }> => {
    const { rows } = await this.db.pool.query(
      'select count(*) as rows, coalesce(max(times), 0) as most from effects',
    );
    return rows[0];
  };
}

export function useConsumers(): Consumers {
  const consumers = new Consumers();
  beforeAll(async () => {
    consumers.server = await startNats();
    const { url } = consumers.server;
    consumers.nats = await connectNats({ url, name: 'test', log, deadlineMs: 5_000 });
  });
  afterAll(async () => {
    await consumers.nats.close();
    await consumers.server.stop();
  });
  beforeEach(async () => {
    const db = await openDatabase();
    await db.pool.query(
      'create table effects (id text primary key, times int not null, version bigint, name text)',
    );
    consumers.db = db;
    const { nats } = consumers;
    consumers.relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
    consumers.running = [];
  });
  afterEach(async () => {
    await Promise.all(consumers.running.map((consumer) => consumer.stop()));
    await consumers.relay.stop();
    await deleteStream(consumers.nats);
    await consumers.db.drop();
  });
  return consumers;
}
