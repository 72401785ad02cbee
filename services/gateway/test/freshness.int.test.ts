import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { flushOutbox } from '@bv/events';
import { publishedHeader } from '@bv/http';
import { eventually } from '@bv/testkit';
import { startCatalogEvents, type CatalogEvents } from './catalog-events.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
let catalog: CatalogEvents;

beforeAll(async () => {
  gateway = await startGateway({
    processes: true,
    count: 3,
    env: { APPLY_TIMEOUT_MS: '8000', REDIS_TIMEOUT_MS: '1000' },
  });
  catalog = await startCatalogEvents(gateway.nats.url);
});
afterAll(async () => {
  await catalog.stop();
  await gateway.stop();
});

/** The next request on each of the three gateways. */
const everywhere = (path: string, key: string): Promise<unknown[]> =>
  Promise.all(
    gateway.gateways.map(async ({ port }) => {
      const { status, body } = await gateway.call({ path, key }, port);
      return body?.error?.code ?? status;
    }),
  );
const all = (outcome: unknown): unknown[] => [outcome, outcome, outcome];

/** Lets catalog commit an operator change and return the stream position of its event. */
function applyOnOperatorCall(change: Parameters<CatalogEvents['know']>[0]): void {
  gateway.upstream.respond = async (_, response) => {
    const org = catalog.know(change);
    const id = await catalog.tell(org);
    const published = await flushOutbox({ pool: catalog.pool, ids: [id], timeoutMs: 5_000 });
    json(response, 200, { data: { id: org.id } }, { [publishedHeader]: JSON.stringify(published) });
  };
}

describe('visible to the next request on three gateways', () => {
  test('a revoked key', async () => {
    const { orgId, key, keyId } = await gateway.customer();
    const path = `/v1/orgs/${orgId}/brands`;
    expect(await everywhere(path, key)).toEqual(all(200));
    await gateway.operator('DELETE', `/keys/${keyId}`);
    expect(await everywhere(path, key)).toEqual(all('invalid_api_key'));
  });

  test('requests in flight: no request that started after the revocation succeeds', async () => {
    const { orgId, key, keyId } = await gateway.customer();
    const path = `/v1/orgs/${orgId}/brands`;
    let revokedAt = Infinity;
    let stop = false;
    const late: number[] = [];
    const served = [0, 0, 0];
    const refusedAfter = [0, 0, 0];
    const worker = async (index: number): Promise<void> => {
      const port = gateway.gateways[index % 3]?.port ?? 0;
      for (let sent = 0; !stop; sent += 1) {
        const startedAt = performance.now();
        const { status } = await gateway.call(
          { path, key, headers: { 'x-forwarded-for': `10.9.${index}.${sent % 250}` } },
          port,
        );
        if (status === 200) served[index % 3] = (served[index % 3] ?? 0) + 1;
        if (startedAt <= revokedAt) continue;
        if (status === 200) late.push(startedAt);
        else refusedAfter[index % 3] = (refusedAfter[index % 3] ?? 0) + 1;
      }
    };
    const workers = Array.from({ length: 12 }, (_, index) => worker(index));
    try {
      await eventually(() => expect(Math.min(...served)).toBeGreaterThanOrEqual(10));
      await gateway.operator('DELETE', `/keys/${keyId}`);
      revokedAt = performance.now();
      await eventually(() => expect(Math.min(...refusedAfter)).toBeGreaterThanOrEqual(20));
    } finally {
      stop = true;
      await Promise.all(workers);
    }
    expect(late).toEqual([]);
  });

  test('a partner suspended, and active again; a link narrowed, revoked, created again', async () => {
    const { orgId, partnerId, key } = await gateway.reseller();
    const path = `/v1/orgs/${orgId}/brands`;
    const post = async (): Promise<unknown[]> =>
      Promise.all(
        gateway.gateways.map(async ({ port }) => {
          const { status, body } = await gateway.call(
            { method: 'POST', path: `/v1/orgs/${orgId}/properties`, key, body: {} },
            port,
          );
          return body?.error?.code ?? status;
        }),
      );
    gateway.upstream.reset();
    expect(await post()).toEqual(all(200));
    await gateway.operator('PATCH', `/partners/${partnerId}`, { status: 'suspended' });
    expect(await everywhere(path, key)).toEqual(all('invalid_api_key'));
    await gateway.operator('PATCH', `/partners/${partnerId}`, { status: 'active' });
    expect(await everywhere(path, key)).toEqual(all(200));
    await gateway.link(partnerId, orgId, 'read_only');
    expect(await post()).toEqual(all('link_scope_insufficient'));
    await gateway.operator('DELETE', `/partners/${partnerId}/links/${orgId}`);
    expect(await everywhere(path, key)).toEqual(all('not_found'));
    await gateway.link(partnerId, orgId);
    expect(await everywhere(path, key)).toEqual(all(200));
  });

  test('a tier that catalog changes, an organisation it deletes: the operator request returns when it is applied', async () => {
    const org = catalog.know();
    const { key } = await gateway.createOrgKey(org.id);
    const path = '/v1/orgs';
    expect(await everywhere(path, key)).toEqual(all(200));
    applyOnOperatorCall({ ...org, tier: 'starter', api_access: false });
    expect((await gateway.operator('PATCH', `/orgs/${org.id}`, { tier: 'starter' })).status).toBe(200);
    expect(await everywhere(path, key)).toEqual(all('tier_not_entitled'));
    applyOnOperatorCall({ ...org, tier: 'growth', api_access: true });
    await gateway.operator('PATCH', `/orgs/${org.id}`, { tier: 'growth' });
    expect(await everywhere(path, key)).toEqual(all(200));
    applyOnOperatorCall({ ...org, deleted_at: new Date().toISOString() });
    await gateway.operator('DELETE', `/orgs/${org.id}`);
    expect(await everywhere(path, key)).toEqual(all('invalid_api_key'));
  });

  test('an older version that comes later changes nothing', async () => {
    const org = catalog.know();
    const { key } = await gateway.createOrgKey(org.id);
    applyOnOperatorCall({ ...org, api_access: true });
    await gateway.operator('PATCH', `/orgs/${org.id}`, { tier: 'growth' });
    gateway.upstream.respond = async (_, response) => {
      const id = await catalog.tell({ ...org, api_access: false }, 1);
      const published = await flushOutbox({ pool: catalog.pool, ids: [id], timeoutMs: 5_000 });
      json(response, 200, { data: {} }, { [publishedHeader]: JSON.stringify(published) });
    };
    expect((await gateway.operator('PATCH', `/orgs/${org.id}`, { tier: 'growth' })).status).toBe(200);
    expect(await everywhere('/v1/orgs', key)).toEqual(all(200));
  });
});

describe('a change that is not applied everywhere', () => {
  test('api_unavailable names the services that have not applied it, and the public API works', async () => {
    const { orgId, key } = await gateway.customer();
    gateway.upstream.respond = (_, response) =>
      json(
        response,
        200,
        { data: {} },
        {
          // A position no consumer will reach.
          [publishedHeader]: JSON.stringify([{ subject: 'events.catalog.org.changed.v1', seq: 1_000_000 }]),
        },
      );
    const answer = await gateway.operator('PATCH', `/orgs/${orgId}`, { name: 'New' });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'api_unavailable']);
    expect(answer.body.error.message).toContain('gateway-catalog');
    expect(answer.body.error.details).toEqual({ stored: true, waiting_for: ['gateway-catalog'] });
    expect(answer.headers['retry-after']).toBe('5');
    expect(await everywhere('/v1/orgs', key)).toEqual(all(200));
  });

  test('without NATS every public request is still checked and served', async () => {
    const { orgId, key, keyId } = await gateway.customer();
    gateway.upstream.reset();
    await gateway.nats.stop();
    try {
      expect(await everywhere(`/v1/orgs/${orgId}/brands`, key)).toEqual(all(200));
      expect((await gateway.operator('DELETE', `/keys/${keyId}`)).status).toBe(200);
      expect(await everywhere(`/v1/orgs/${orgId}/brands`, key)).toEqual(all('invalid_api_key'));
    } finally {
      await gateway.nats.start();
    }
  });
});
