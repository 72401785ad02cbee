import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { send } from './client.ts';
import { startGatewayProcess } from './gateway-process.ts';
import type { TestGateway } from './gateway.ts';
import { createWriter, onceResponder, startTwoGateways } from './idempotent-writer.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTwoGateways();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

test.each([
  ['gateway.idempotency_acquired', 0, undefined],
  ['gateway.answered', 1, 'true'],
  ['gateway.stored', 1, 'true'],
])(
  'a gateway that is killed at %s: one effect, and the original answer to the retry',
  async (point, effects, replayed) => {
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
  },
);
