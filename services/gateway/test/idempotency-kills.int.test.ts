import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, waitUntilLocked } from '@bv/testkit';
import { send, type ClientResponse } from './client.ts';
import { startGatewayProcess } from './gateway-process.ts';
import type { TestGateway } from './gateway.ts';
import { createWriter, onceResponder, startTwoGateways } from './idempotent-writer.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTwoGateways();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

describe('kill -9 of the gateway', () => {
  afterEach(() => gateway.gateways[0]?.start());

  /** Runs a write up to the given point, kills its gateway there, and lets the service continue. */
  async function killAt(
    point: (reached: () => void, goOn: Promise<void>) => Parameters<typeof onceResponder>[1],
  ) {
    const { post, idempotencyKey } = await createWriter(gateway);
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
  const untilStoreWaits = (): Promise<void> => waitUntilLocked(gateway.sql, 'update idempotency_keys');

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
    const { post } = await createWriter(gateway);
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
    const { post, key, orgId, idempotencyKey } = await createWriter(gateway);
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
