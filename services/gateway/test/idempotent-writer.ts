import { randomUUID } from 'node:crypto';
import { replayedHeader } from '@bv/http';
import { startGateway, type TestGateway } from './gateway.ts';
import { json, type Responder } from './upstream.ts';

export const leaseMs = 4_000;

/** Two gateways in their own processes, with short leases of idempotency keys. */
export const startTwoGateways = (): Promise<TestGateway> =>
  startGateway({
    processes: true,
    count: 2,
    env: { REDIS_TIMEOUT_MS: '1900', UPSTREAM_TIMEOUT_MS: '2000', IDEMPOTENCY_LEASE_MS: String(leaseMs) },
  });

export const getPort = (gateway: TestGateway, index: number): number => gateway.gateways[index]?.port ?? 0;

/** A new customer who repeats one write under one idempotency key. */
export async function createWriter(gateway: TestGateway) {
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
      getPort(gateway, at),
    );
  return { orgId, key, keyId, idempotencyKey, post };
}

/** Does each piece of work once for its operation id, as `processOnce` does in the services. */
export function onceResponder(
  work: { effects: string[] },
  hooks: { before?: () => Promise<void>; after?: () => Promise<void>; body?: object } = {},
): Responder {
  const answers = new Map<string, object>();
  return async (call, response) => {
    await hooks.before?.();
    const id = String(call.caller.operationId);
    const recorded = answers.has(id);
    if (!recorded) {
      work.effects.push(id);
      answers.set(id, { data: { id: randomUUID(), ...hooks.body } });
    }
    await hooks.after?.();
    json(response, 201, answers.get(id), recorded ? { [replayedHeader]: 'true' } : {});
  };
}
