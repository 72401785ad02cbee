import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '@bv/postgres';
import { eventually, startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  RpcUnavailable,
  brandChanged,
  callRpc,
  connectNats,
  defineRpc,
  fetchScanPlan,
  findBrandRpc,
  listDeadLetterEventsRpc,
  publishEvent,
  redriveDeadLetterEventRpc,
  scanPlanPageSize,
  scanPlanRpc,
  serveDeadLetterEvents,
  serveRpc,
  startConsumer,
  startRelay,
} from '../src/index.ts';
import type { Nats, RpcServer } from '../src/index.ts';
import { z } from 'zod';
import { brandData, log, metrics, openDatabase } from './service.ts';

let server: TestServer;
let nats: Nats;
let servers: RpcServer[] = [];

beforeAll(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test', log, deadlineMs: 5_000 });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
afterEach(async () => {
  await Promise.all(servers.map((one) => one.stop()));
  servers = [];
});

const double = defineRpc({
  subject: 'rpc.test.double',
  timeoutMs: 10_000,
  request: z.object({ n: z.int() }),
  reply: z.object({ n: z.int() }),
});
const options = { queue: 'test', log };

function serve(handler: (input: { n: number }) => Promise<{ n: number }>, maxInFlight?: number): void {
  servers.push(
    serveRpc(nats, double, handler, maxInFlight === undefined ? options : { ...options, maxInFlight }),
  );
}

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof RpcUnavailable ? error.reason : error),
  );

describe('a call', () => {
  test('is answered by one of the queue', async () => {
    let answered = 0;
    for (let index = 0; index < 2; index += 1) {
      serve(async ({ n }) => {
        answered += 1;
        return { n: n * 2 };
      });
    }
    expect(await callRpc(nats, double, { n: 21 })).toEqual({ n: 42 });
    expect(answered).toBe(1);
  });

  test('without a responder fails at once', async () => {
    const started = performance.now();
    expect(await reasonOf(callRpc(nats, double, { n: 1 }))).toBe('no_responders');
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  test('to somebody slow fails at its deadline', async () => {
    serve(async (input) => {
      await sleep(500);
      return input;
    });
    const brief = defineRpc({ ...double, timeoutMs: 100 });
    expect(await reasonOf(callRpc(nats, brief, { n: 1 }))).toBe('timeout');
  });

  test('to somebody who fails says no more than that', async () => {
    serve(async () => {
      throw new Error('secret detail');
    });
    const failure = callRpc(nats, double, { n: 1 });
    await expect(failure).rejects.toMatchObject({
      code: 'api_unavailable',
      subject: 'rpc.test.double',
      reason: 'failed',
    });
  });

  test('above the maximum in flight is rejected, not queued', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    serve(async (input) => {
      await released;
      return input;
    }, 2);
    const calls = [1, 2].map((n) => callRpc(nats, double, { n }));
    expect(await reasonOf(callRpc(nats, double, { n: 3 }))).toBe('busy');
    release();
    expect(await Promise.all(calls)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('that breaks the contract is a mistake, on either side', async () => {
    serve(async () => ({ n: 'many' }) as never);
    await expect(callRpc(nats, double, { n: 0.5 })).rejects.toThrow(z.ZodError);
    expect(await reasonOf(callRpc(nats, double, { n: 1 }))).toBe('failed');
    const loose = defineRpc({ ...double, request: z.object({}) });
    await expect(callRpc(nats, loose, {})).rejects.toThrow('rejected the request');
  });

  test('while NATS is unavailable fails at once, and works again afterwards', async () => {
    serve(async (input) => input);
    await server.kill();
    await eventually(() => expect(nats.isConnected()).toBe(false));
    expect(await reasonOf(callRpc(nats, double, { n: 1 }))).toBe('disconnected');
    await server.start();
    await eventually(async () => {
      expect(await callRpc(nats, double, { n: 1 })).toEqual({ n: 1 });
    });
  });

  test('under way is answered before its server stops', async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    serve(async (input) => {
      begun.resolve();
      await released.promise;
      return input;
    });
    const call = callRpc(nats, double, { n: 7 });
    await begun.promise;
    const stopped = Promise.all(servers.map((one) => one.stop()));
    servers = [];
    released.resolve();
    await stopped;
    expect(await call).toEqual({ n: 7 });
  });
});

describe("catalog's strong checks", () => {
  test('find-brand answers the state of the event, or null', async () => {
    const brand = brandData();
    servers.push(
      serveRpc(
        nats,
        findBrandRpc,
        async ({ id }) => (id === brand.id ? { version: 3, data: brand } : null),
        options,
      ),
    );
    const ask = (id: string): Promise<unknown> => callRpc(nats, findBrandRpc, { id });
    expect(await ask(brand.id)).toEqual({ version: 3, data: brand });
    expect(await ask(randomUUID())).toBeNull();
  });

  test('a scan plan of any length comes page by page, each small enough', async () => {
    const brand = brandData();
    const prompts = Array.from({ length: 2 * scanPlanPageSize + 50 }, () => ({
      id: randomUUID(),
      text: '\u0001'.repeat(500),
      countries: Array.from({ length: 29 }, () => 'US'),
      platforms: ['chatgpt' as const, 'ai_overviews' as const],
    })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const org = {
      id: brand.org_id,
      name: 'Org',
      tier: 'enterprise',
      api_access: true,
      on_demand_scans: true,
      limits: {
        prompts: null,
        own_brands: null,
        countries: null,
        competitors_per_brand: null,
        manual_scans: null,
      },
      retention: { answer_text_days: null, unit_days: null },
      created_at: '2026-11-21T03:00:00Z',
      updated_at: '2026-11-21T03:00:00Z',
      deleted_at: null,
      purge_requested_at: null,
    };
    let pages = 0;
    servers.push(
      serveRpc(
        nats,
        scanPlanRpc,
        async ({ brand_id, after }) => {
          if (brand_id !== brand.id) return null;
          pages += 1;
          const rest = prompts.filter(({ id }) => after === null || id > after);
          const page = rest.slice(0, scanPlanPageSize);
          const next = rest.length > page.length ? (page.at(-1)?.id ?? null) : null;
          return { brand, org, archived: false, prompts: page, next };
        },
        options,
      ),
    );
    const ids = { org_id: org.id, brand_id: brand.id };
    expect(await fetchScanPlan(nats, ids)).toEqual({
      brand,
      org,
      archived: false,
      prompts,
    });
    expect(pages).toBe(3);
    expect(await fetchScanPlan(nats, { ...ids, brand_id: randomUUID() })).toBeNull();
  });
});

test('dead-letter events are listed and redriven from afar', async () => {
  const db = await openDatabase();
  const relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
  let broken = true;
  const consumer = await startConsumer({
    pool: db.pool,
    nats,
    service: 'evtest',
    source: 'catalog',
    retryDelaysMs: [1],
    handlers: {
      [brandChanged.type]: async () => {
        if (broken) throw new Error('broken');
      },
    },
    log,
    metrics,
  });
  servers.push(serveDeadLetterEvents({ nats, pool: db.pool, service: 'evtest', log }));
  await transaction(db.pool, async (tx) => {
    for (const name of ['one', 'two', 'three']) {
      await publishEvent(tx, brandChanged, { aggregateId: name, version: 1, data: brandData({ name }) });
    }
  });
  const list = (limit: number, before: { created_at: string; id: string } | null) =>
    callRpc(nats, listDeadLetterEventsRpc('evtest'), { limit, before });
  await eventually(async () => expect(await list(10, null)).toHaveLength(3));
  const all = await list(10, null);
  const page = await list(2, null);
  const last = page.at(-1);
  expect([...page, ...(await list(2, last ? { created_at: last.created_at, id: last.id } : null))]).toEqual(
    all,
  );
  broken = false;
  const redrive = (id: string) => callRpc(nats, redriveDeadLetterEventRpc('evtest'), { id });
  const redriven = await redrive(all[0]?.id ?? '');
  expect(redriven).toMatchObject({ status: 'applied', redriven_at: expect.any(String) });
  expect(await redrive(randomUUID())).toBeNull();
  await consumer.stop();
  await relay.stop();
  await db.drop();
});
