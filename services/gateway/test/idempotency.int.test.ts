import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayedHeader } from '@bv/http';
import { eventually } from '@bv/testkit';
import { send, type ClientResponse } from './client.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json, type Responder } from './upstream.ts';

const leaseMs = 4_000;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    processes: true,
    count: 2,
    env: { REDIS_TIMEOUT_MS: '5000', UPSTREAM_TIMEOUT_MS: '2000', IDEMPOTENCY_LEASE_MS: String(leaseMs) },
  });
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const getPort = (index: number): number => gateway.gateways[index]?.port ?? 0;

async function writer() {
  const { orgId, key, keyId } = await gateway.customer();
  const idempotencyKey = randomUUID();
  const post = (body: unknown = { name: 'a' }, { as = idempotencyKey, at = 0, by = key } = {}) =>
    gateway.call(
      {
        method: 'POST',
        path: `/v1/orgs/${orgId}/properties`,
        key: by,
        body,
        headers: { 'idempotency-key': as },
      },
      getPort(at),
    );
  return { orgId, key, keyId, idempotencyKey, post };
}

/** Does each piece of work once for its operation id, as `processOnce` does in the services. */
function onceResponder(
  work: { effects: string[] },
  hooks: { before?: () => Promise<void>; after?: () => Promise<void> } = {},
): Responder {
  const answers = new Map<string, object>();
  return async (call, response) => {
    await hooks.before?.();
    const id = String(call.caller.operationId);
    const recorded = answers.has(id);
    if (!recorded) {
      work.effects.push(id);
      answers.set(id, { data: { id: randomUUID() } });
    }
    await hooks.after?.();
    json(response, 201, answers.get(id), recorded ? { [replayedHeader]: 'true' } : {});
  };
}

describe('replay', () => {
  test('the same status, bytes and content type, under a new request id and fresh window', async () => {
    const { post } = await writer();
    const work = { effects: [] as string[] };
    gateway.upstream.respond = onceResponder(work);
    const first = await post({ name: 'a', domain: 'b' });
    const again = await post({ domain: 'b', name: 'a' }, { at: 1 });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(Number(again.headers['x-ratelimit-remaining'])).toBe(
      Number(first.headers['x-ratelimit-remaining']) - 1,
    );
    expect(work.effects).toHaveLength(1);
  });

  test('a replayed error body carries the new request id', async () => {
    const { post } = await writer();
    gateway.upstream.respond = (call, response) =>
      json(response, 409, {
        error: { code: 'prompt_writes_busy', message: 'Busy' },
        request_id: call.caller.requestId,
      });
    const first = await post();
    const again = await post();
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.body).toEqual({ ...first.body, request_id: again.headers['x-request-id'] });
    expect(again.body.request_id).not.toBe(first.body.request_id);
    expect(gateway.upstream.calls).toHaveLength(1);
  });

  test('the key belongs to the owner: another API key of it replays, another owner does not', async () => {
    const { orgId, idempotencyKey, post } = await writer();
    gateway.upstream.respond = onceResponder({ effects: [] });
    const first = await post();
    const rotated = await gateway.createOrgKey(orgId);
    expect((await post(undefined, { by: rotated.key })).text).toBe(first.text);
    const other = await writer();
    const theirs = await other.post(undefined, { as: idempotencyKey });
    expect(theirs.headers['idempotent-replayed']).toBeUndefined();
    expect(theirs.text).not.toBe(first.text);
  });

  test('stored responses are encrypted and kept for 24 hours after completion', async () => {
    const { post, idempotencyKey } = await writer();
    gateway.upstream.respond = onceResponder({ effects: [] });
    const first = await post();
    const { rows } = await gateway.sql.query('select body, key_id from idempotency_keys where key = $1', [
      idempotencyKey,
    ]);
    expect(rows[0].body.includes(first.body.data.id)).toBe(false);
    expect(rows[0].key_id).toBe(1);
    const age = (interval: string) =>
      gateway.sql.query(`update idempotency_keys set completed_at = now() - $2::interval where key = $1`, [
        idempotencyKey,
        interval,
      ]);
    await age('23 hours 59 minutes');
    expect((await post()).text).toBe(first.text);
    await age('24 hours 1 second');
    const fresh = await post({ name: 'other' });
    expect(fresh.status).toBe(201);
    expect(fresh.text).not.toBe(first.text);
  });
});

describe('409', () => {
  test('idempotency_key_reuse: another body, another path, also while the first runs', async () => {
    const { orgId, key, idempotencyKey, post } = await writer();
    let release = (): void => undefined;
    gateway.upstream.respond = async (_, response) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      json(response, 201, { data: {} });
    };
    const running = post();
    await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
    expect((await post({ name: 'b' })).body.error.code).toBe('idempotency_key_reuse');
    release();
    await running;
    expect((await post({ name: 'b' })).body.error.code).toBe('idempotency_key_reuse');
    const elsewhere = await gateway.call({
      method: 'POST',
      path: `/v1/orgs/${orgId}/brands/${randomUUID()}/competitors`,
      key,
      body: { name: 'a' },
      headers: { 'idempotency-key': idempotencyKey },
    });
    expect(elsewhere.body.error.code).toBe('idempotency_key_reuse');
  });

  test('idempotency_key_in_flight: of 40 at once over two gateways one has the effect', async () => {
    const { post } = await writer();
    const work = { effects: [] as string[] };
    gateway.upstream.respond = onceResponder(work, {
      before: () => new Promise((resolve) => setTimeout(resolve, 200)),
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post(undefined, { at: index % 2 })),
    );
    const codes = answers.map(({ status, body }) => body.error?.code ?? status);
    expect(new Set(codes)).toEqual(new Set([201, 'idempotency_key_in_flight']));
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(work.effects).toHaveLength(1);
  });
});

describe('what is not stored', () => {
  test.each([403, 413, 429])('a %i of the service does not consume the key', async (status) => {
    const { post } = await writer();
    gateway.upstream.respond = (_, response) =>
      json(response, status, { error: { code: 'no', message: '' }, request_id: '' });
    expect((await post()).status).toBe(status);
    gateway.upstream.respond = onceResponder({ effects: [] });
    expect((await post({ name: 'quite another request' })).status).toBe(201);
  });

  test('a refused write does not consume the key', async () => {
    const { orgId, key, idempotencyKey, post } = await writer();
    const readOnly = await gateway.createOrgKey(orgId, { scopes: ['read'] });
    expect((await post(undefined, { by: readOnly.key })).body.error.code).toBe('write_scope_required');
    const bad = {
      method: 'POST',
      path: `/v1/orgs/${orgId}/properties`,
      key,
      headers: { 'idempotency-key': idempotencyKey },
    };
    expect((await gateway.call({ ...bad, body: '{' })).body.error.code).toBe('invalid_json');
    expect((await post({ name: 'first to get through' })).headers['idempotent-replayed']).toBeUndefined();
    expect(gateway.upstream.calls).toHaveLength(1);
  });

  test('a 5xx, or a 409 because another attempt runs, releases the key; the retry has the same operation id', async () => {
    const { post } = await writer();
    const work = { effects: [] as string[] };
    const once = onceResponder(work);
    gateway.upstream.respond = (_, response) =>
      json(
        response,
        500,
        { error: { code: 'internal_error', message: '' }, request_id: '' },
        { [replayedHeader]: 'true' },
      );
    const failed = await post();
    expect([failed.status, failed.headers['idempotent-replayed']]).toEqual([500, undefined]);
    gateway.upstream.respond = (_, response) =>
      json(response, 409, { error: { code: 'idempotency_key_in_flight', message: '' }, request_id: '' });
    const overtaken = await post();
    expect([overtaken.status, overtaken.body.error.code]).toEqual([409, 'idempotency_key_in_flight']);
    gateway.upstream.respond = (_, response) => void response.destroy();
    expect((await post()).body.error.code).toBe('api_unavailable');
    gateway.upstream.respond = once;
    expect((await post()).status).toBe(201);
    expect(new Set(gateway.upstream.calls.map(({ caller }) => caller.operationId)).size).toBe(1);
    expect((await post()).headers['idempotent-replayed']).toBe('true');
    expect(work.effects).toHaveLength(1);
  });

  test('after a timeout the key stays acquired until its lease ends, then the retry acquires it', async () => {
    const { post } = await writer();
    const work = { effects: [] as string[] };
    const once = onceResponder(work);
    const goOn = Promise.withResolvers<void>();
    gateway.upstream.respond = async (call, response) => {
      await goOn.promise;
      await once(call, response);
    };
    expect((await post()).body.error.code).toBe('api_unavailable');
    expect((await post()).body.error.code).toBe('idempotency_key_in_flight');
    gateway.upstream.respond = once;
    goOn.resolve();
    const taken = await eventually(async () => {
      const answer = await post();
      expect(answer.status).toBe(201);
      return answer;
    });
    expect(work.effects).toHaveLength(1);
    expect((await post()).text).toBe(taken.text);
  });
});

describe('kill -9 of the gateway', () => {
  afterEach(() => gateway.gateways[0]?.start());

  /** Runs a write up to the given point, kills its gateway there, and lets the service continue. */
  async function killAt(
    point: (reached: () => void, goOn: Promise<void>) => Parameters<typeof onceResponder>[1],
  ) {
    const { post, idempotencyKey } = await writer();
    const work = { effects: [] as string[] };
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const hooks = point(reached.resolve, goOn.promise) ?? {};
    gateway.upstream.respond = onceResponder(work, hooks);
    const first = post().catch(() => undefined);
    await reached.promise;
    await gateway.gateways[0]?.kill();
    goOn.resolve();
    delete hooks.before;
    delete hooks.after;
    return { post, idempotencyKey, work, first };
  }

  async function expectOneEffect({
    post,
    work,
  }: Awaited<ReturnType<typeof killAt>>): Promise<ClientResponse> {
    const retry = await eventually(async () => {
      const answer = await post(undefined, { at: 1 });
      expect(answer.status).toBe(201);
      return answer;
    });
    expect(work.effects).toHaveLength(1);
    expect(new Set(gateway.upstream.calls.map(({ caller }) => caller.operationId)).size).toBe(1);
    expect((await post(undefined, { at: 1 })).text).toBe(retry.text);
    return retry;
  }

  test('after the key was acquired, before the service has done anything', async () => {
    const never = new Promise<void>(() => undefined);
    const killed = await killAt((reached) => ({
      before: () => {
        reached();
        return never;
      },
    }));
    expect(killed.work.effects).toHaveLength(0);
    await expectOneEffect(killed);
  });

  test('after the forward: the service does the work although the gateway has stopped', async () => {
    const killed = await killAt((reached, goOn) => ({
      before: () => {
        reached();
        return goOn;
      },
    }));
    expect((await expectOneEffect(killed)).status).toBe(201);
  });

  test("after the service's commit: the retry gets the original response", async () => {
    const killed = await killAt((reached, goOn) => ({
      after: () => {
        reached();
        return goOn;
      },
    }));
    expect(killed.work.effects).toHaveLength(1);
    expect((await expectOneEffect(killed)).headers['idempotent-replayed']).toBe('true');
  });

  /** Resolves when a gateway waits for the lock of an idempotency record. */
  const untilStoreWaits = (): Promise<void> =>
    eventually(async () => {
      const { rowCount } = await gateway.sql.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like 'update idempotency_keys%'`,
      );
      expect(rowCount).toBe(1);
    });

  test('before the store: the retry gets the original response', async () => {
    const client = await gateway.sql.connect();
    const killed = await killAt((reached) => ({
      after: async () => {
        // The store waits for this lock until the gateway is killed.
        await client.query('begin');
        await client.query('select 1 from idempotency_keys where completed_at is null for update');
        void untilStoreWaits().then(reached);
      },
    }));
    await client.query('rollback');
    client.release();
    expect(killed.work.effects).toHaveLength(1);
    expect((await expectOneEffect(killed)).headers['idempotent-replayed']).toBe('true');
  });

  test('after the store: the retry is a replay', async () => {
    const { post } = await writer();
    gateway.upstream.respond = onceResponder({ effects: [] });
    const first = await post();
    await gateway.gateways[0]?.kill();
    const retry = await post(undefined, { at: 1 });
    expect([retry.text, retry.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });
});

describe('a gateway that dies by itself', () => {
  test.each([
    ['gateway.idempotency_acquired', 0, undefined],
    ['gateway.answered', 1, 'true'],
    ['gateway.stored', 1, 'true'],
  ])('at %s: one effect, and the original answer to the retry', async (point, effects, replayed) => {
    const { post, key, orgId, idempotencyKey } = await writer();
    const work = { effects: [] as string[] };
    gateway.upstream.respond = onceResponder(work);
    const doomed = await startGatewayProcess({ ...gateway.settings, CRASH_AT: point, NODE_ENV: 'test' });
    const lost = send(doomed.port, {
      method: 'POST',
      path: `/v1/orgs/${orgId}/properties`,
      key,
      body: { name: 'a' },
      headers: { 'idempotency-key': idempotencyKey },
    });
    await expect(lost).rejects.toThrow(/hang up|ECONNRESET/);
    expect(await doomed.ended()).toBe('SIGKILL');
    expect(work.effects).toHaveLength(effects);
    const retry = await eventually(async () => {
      const answer = await post(undefined, { at: 1 });
      expect(answer.status).toBe(201);
      return answer;
    });
    expect(retry.headers['idempotent-replayed']).toBe(replayed);
    expect(work.effects).toHaveLength(1);
    expect(new Set(gateway.upstream.calls.map(({ caller }) => caller.operationId)).size).toBe(1);
    expect((await post(undefined, { at: 0 })).text).toBe(retry.text);
  });
});
