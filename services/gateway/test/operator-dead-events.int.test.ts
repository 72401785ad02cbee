import { randomUUID } from 'node:crypto';
import type { DeadEvent, operatorGetDeadEvent, ResponseData } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectNats, flushOutbox, serveDeadLetterEvents, startRelay } from '@bv/events';
import { createPool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase, eventually } from '@bv/testkit';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
const services: Awaited<ReturnType<typeof startService>>[] = [];

/** The dead-letter events of a service in its own database, served as in every service. */
async function startService(service: string, natsUrl: string) {
  const log = createLogger({ service, level: 'silent' });
  const metrics = createMetrics(service);
  const database = await createDatabase('gateway');
  const pool = createPool({ connectionString: database.url, applicationName: service, log, metrics });
  const nats = await connectNats({ url: natsUrl, name: service, log });
  const relay = await startRelay({ pool, nats, service, log, metrics });
  const serving = serveDeadLetterEvents({ nats, pool, service, log });
  return {
    service,
    bury: async (createdAt: string): Promise<string> => {
      const id = randomUUID();
      const envelope = { id: randomUUID(), source: 'catalog', type: 't', subject: 's', version: 1, data: {} };
      await pool.query(
        `insert into dead_letter_events
           (id, consumer, message_id, event_id, type, envelope, error, attempts, created_at, last_failed_at)
         values ($1, $2, $3::uuid::text, $3::uuid, 'catalog.org.changed.v1', $4, 'boom' || chr(10) || '  bang', 10, $5, $5)`,
        [id, `${service}-catalog`, envelope.id, JSON.stringify(envelope), createdAt],
      );
      return id;
    },
    /** The outcome of a redrive, as the consumer would store it. */
    settle: async (id: string, status: string): Promise<void> => {
      await eventually(async () => {
        const update = `update dead_letter_events set status = $2 where id = $1 and status = 'redriven'`;
        expect((await pool.query(update, [id, status])).rowCount).toBe(1);
      });
    },
    /** Sends an event and waits until it is in the stream. */
    publish: async (): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into outbox (id, type, aggregate_id, version, envelope)
         values (gen_random_uuid(), 'scans.job.changed.v1', 'job', 1, '{}') returning id`,
      );
      const id = rows[0]?.id ?? '';
      await flushOutbox({ pool, ids: [id], timeoutMs: 10_000 });
      return id;
    },
    timesPublished: async (id: string): Promise<number> => {
      const { rows } = await pool.query<{ times: number }>(
        'select republished + 1 as times from outbox where id = $1 and sent_at is not null',
        [id],
      );
      return rows[0]?.times ?? 0;
    },
    stop: async () => {
      await serving.stop();
      await relay.stop();
      await nats.close();
      await pool.end();
      await database.drop();
    },
  };
}

beforeAll(async () => {
  gateway = await startGateway();
  for (const service of ['catalog', 'results', 'scans', 'webhooks']) {
    services.push(await startService(service, gateway.nats.url));
  }
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await gateway.stop();
});

describe('operatorListDeadEvents', () => {
  test('200: the newest of all services, page by page; 503 api_unavailable names a silent one', async () => {
    const buried: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const service = services[index % services.length];
      buried.unshift((await service?.bury(`2026-11-01T00:00:${10 + index}.000001Z`)) ?? '');
    }
    const seen: { id: string; service: string; consumer: string }[] = [];
    let query = '?limit=3';
    for (let page = 0; page < 10 && query !== ''; page += 1) {
      const { body } = await gateway.operator<DeadEvent[]>('GET', `/dead-events${query}`);
      seen.push(...body.data);
      query = body.pagination.has_more ? `?limit=3&cursor=${body.pagination.next_cursor}` : '';
    }
    expect(seen.map(({ id }) => id)).toEqual(buried);
    expect(seen.every(({ service, consumer }) => consumer === `${service}-catalog`)).toBe(true);
    await services.pop()?.stop();
    const { status, body } = await gateway.operator('GET', '/dead-events');
    expect([status, body.error.code]).toEqual([503, 'api_unavailable']);
    expect(body.error.message).toContain('webhooks');
    services.push(await startService('webhooks', gateway.nats.url));
  });
});

const listedIds = async (): Promise<string[]> => {
  const { body } = await gateway.operator<DeadEvent[]>('GET', '/dead-events?limit=200');
  return body.data.map((row) => row.id);
};

describe('operatorGetDeadEvent', () => {
  test('200: the message and the whole error, of which the list has one line; 404 not_found', async () => {
    const id = (await services[2]?.bury('2026-11-03T00:00:00.123456Z')) ?? '';
    const { status, body } = await gateway.operator<ResponseData<typeof operatorGetDeadEvent>>(
      'GET',
      `/dead-events/${id}`,
    );
    expect([status, body.data]).toEqual([
      200,
      {
        id,
        service: 'scans',
        consumer: 'scans-catalog',
        event_id: (body.data.message as { id: string }).id,
        type: 'catalog.org.changed.v1',
        status: 'dead',
        error: 'boom\n  bang',
        attempts: 10,
        created_at: '2026-11-03T00:00:00.123Z',
        first_failed_at: '2026-11-03T00:00:00.123Z',
        last_failed_at: '2026-11-03T00:00:00.123Z',
        redriven_at: null,
        message: expect.objectContaining({ source: 'catalog', subject: 's', version: 1 }),
      },
    ]);
    const list = await gateway.operator<DeadEvent[]>('GET', '/dead-events');
    const row = list.body.data.find((one: { id: string }) => one.id === id);
    expect(row).toMatchObject({ error: 'boom bang', attempts: 10 });
    expect(row).not.toHaveProperty('message');
    const unknown = await gateway.operator('GET', `/dead-events/${randomUUID()}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('operatorDismissDeadEvent', () => {
  test('200: no longer listed, readable by its id, also a second time; 404 not_found', async () => {
    const id = (await services[3]?.bury('2026-11-04T00:00:00Z')) ?? '';
    expect(await listedIds()).toContain(id);
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await gateway.operator('POST', `/dead-events/${id}/dismiss`);
      expect([status, body.data.id, body.data.status]).toEqual([200, id, 'dismissed']);
    }
    expect(await listedIds()).not.toContain(id);
    expect((await gateway.operator('GET', `/dead-events/${id}`)).body.data.status).toBe('dismissed');
    const unknown = await gateway.operator('POST', `/dead-events/${randomUUID()}/dismiss`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
  });

  test('503 api_unavailable names a silent service, which may hold it', async () => {
    await services.pop()?.stop();
    const { status, body } = await gateway.operator('POST', `/dead-events/${randomUUID()}/dismiss`);
    expect([status, body.error.code]).toEqual([503, 'api_unavailable']);
    expect(body.error.message).toContain('webhooks');
    services.push(await startService('webhooks', gateway.nats.url));
  });
});

describe('operatorRedriveDeadEvent', () => {
  test.each(['applied', 'dead'])('200: waits for the outcome: %s; 404 not_found', async (outcome) => {
    const holder = services[1];
    const id = (await holder?.bury('2026-11-02T00:00:00Z')) ?? '';
    const [{ status, body }] = await Promise.all([
      gateway.operator('POST', `/dead-events/${id}/redrive`),
      holder?.settle(id, outcome),
    ]);
    expect([status, body.data.id, body.data.service, body.data.status]).toEqual([
      200,
      id,
      'results',
      outcome,
    ]);
    expect(body.data.redriven_at).toEqual(expect.any(String));
    const unknown = await gateway.operator('POST', `/dead-events/${randomUUID()}/redrive`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
  });

  test('400 validation_error: no id', async () => {
    expect((await gateway.operator('POST', '/dead-events/1/redrive')).body.error.code).toBe(
      'validation_error',
    );
  });
});

describe('operatorRepublishEvents', () => {
  test('200: what each service sent since then, which consumers that have handled it skip', async () => {
    const since = new Date().toISOString();
    const sent = await services[2]?.publish();
    const { status, body } = await gateway.operator('POST', '/events/republish', { since });
    expect([status, body.data.republished]).toEqual([
      200,
      [
        { service: 'catalog', events: 0 },
        { service: 'gateway', events: 0 },
        { service: 'results', events: 0 },
        { service: 'scans', events: 1 },
        { service: 'webhooks', events: 0 },
      ],
    ]);
    await eventually(async () => expect(await services[2]?.timesPublished(sent ?? '')).toBe(2));
  });

  test('503 api_unavailable names a silent service; 400 validation_error: no time', async () => {
    await services.pop()?.stop();
    const since = new Date().toISOString();
    const { status, body } = await gateway.operator('POST', '/events/republish', { since });
    expect([status, body.error.code]).toEqual([503, 'api_unavailable']);
    expect(body.error.message).toContain('webhooks');
    services.push(await startService('webhooks', gateway.nats.url));
    const refused = await gateway.operator('POST', '/events/republish', { since: 'yesterday' });
    expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'since']);
  });
});
