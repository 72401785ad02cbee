import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayedHeader } from '@bv/http';
import { eventually } from '@bv/testkit';
import { withinMinute } from './client.ts';
import type { TestGateway } from './gateway.ts';
import { createWriter, onceResponder, startTwoGateways } from './idempotent-writer.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTwoGateways();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

describe('replay', () => {
  test('the same status, bytes and content type, under a new request id and fresh window', async () => {
    const { post } = await createWriter(gateway);
    const work = { effects: [] as string[] };
    gateway.upstream.respond = onceResponder(work);
    await withinMinute(5_000);
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
    const { post } = await createWriter(gateway);
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
    const { orgId, idempotencyKey, post } = await createWriter(gateway);
    gateway.upstream.respond = onceResponder({ effects: [] });
    const first = await post();
    const rotated = await gateway.createOrgKey(orgId);
    expect((await post(undefined, { by: rotated.key })).text).toBe(first.text);
    const other = await createWriter(gateway);
    const theirs = await other.post(undefined, { as: idempotencyKey });
    expect(theirs.headers['idempotent-replayed']).toBeUndefined();
    expect(theirs.text).not.toBe(first.text);
  });

  test('stored responses are encrypted and kept for 24 hours after completion', async () => {
    const { post, idempotencyKey } = await createWriter(gateway);
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
    const { orgId, key, idempotencyKey, post } = await createWriter(gateway);
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
    const { post } = await createWriter(gateway);
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
    const { post } = await createWriter(gateway);
    gateway.upstream.respond = (_, response) =>
      json(response, status, { error: { code: 'no', message: '' }, request_id: '' });
    expect((await post()).status).toBe(status);
    gateway.upstream.respond = onceResponder({ effects: [] });
    expect((await post({ name: 'quite another request' })).status).toBe(201);
  });

  test('of a large response only the service keeps a record, and a retry gets that', async () => {
    const { post, idempotencyKey } = await createWriter(gateway);
    const work = { effects: [] as string[] };
    gateway.upstream.respond = onceResponder(work, { body: { text: 'x'.repeat(300_000) } });
    const first = await post();
    const again = await post(undefined, { at: 1 });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect((await post({ name: 'another request' })).body.error.code).toBe('idempotency_key_reuse');
    expect(work.effects).toHaveLength(1);
    const { rows } = await gateway.sql.query('select body from idempotency_keys where key = $1', [
      idempotencyKey,
    ]);
    expect(rows).toEqual([{ body: null }]);
  });

  test('a refused write does not consume the key', async () => {
    const { orgId, key, idempotencyKey, post } = await createWriter(gateway);
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
    const { post } = await createWriter(gateway);
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
    const { post } = await createWriter(gateway);
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
