import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { eventually } from '@bv/testkit';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { send } from './client.ts';
import { operatorToken, startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const headers = { authorization: `Bearer ${operatorToken}` };

test('a gateway that starts without NATS serves, and connects when NATS is available', async () => {
  const { key } = await gateway.customer();
  await gateway.nats.stop();
  const config = readConfig(gateway.settings);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const app = await createApp(config, { log, lifecycle });
  try {
    expect(lifecycle.ready()).toBe(true);
    expect((await send(app.port, { path: '/v1/orgs', key })).status).toBe(200);
    const dead = { path: '/operator/v1/dead-events', headers };
    const refused = await send(app.operatorPort, dead);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'api_unavailable']);
    await gateway.nats.start();
    const create = {
      method: 'POST',
      path: '/operator/v1/partners',
      headers,
      body: { name: 'Reseller' },
    };
    await eventually(async () => expect((await send(app.operatorPort, create)).status).toBe(201), {
      timeoutMs: 30_000,
    });
  } finally {
    await lifecycle.stop('test over');
  }
}, 60_000);

test('a gateway that never met NATS stops at once', async () => {
  const config = readConfig({ ...gateway.settings, NATS_URL: 'nats://127.0.0.1:9' });
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  await createApp(config, { log, lifecycle });
  const startedAt = performance.now();
  await lifecycle.stop('test over');
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
