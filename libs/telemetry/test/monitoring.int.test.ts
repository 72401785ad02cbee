import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMetrics, startMonitoring } from '@bv/telemetry';
import type { Monitoring } from '@bv/telemetry';

let ready: () => boolean | Promise<boolean>;
let monitoring: Monitoring;

beforeEach(async () => {
  ready = () => false;
  const { registry } = createMetrics('catalog');
  monitoring = await startMonitoring({ port: 0, host: '127.0.0.1', registry, ready: () => ready() });
});
afterEach(() => monitoring.close());

const statusOf = async (path: string, method = 'GET') =>
  (await fetch(`http://127.0.0.1:${monitoring.port}${path}`, { method })).status;

describe('probes', () => {
  test('before the start has ended only livez is fine', async () => {
    expect(await statusOf('/livez')).toBe(200);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/startupz')).toBe(503);
  });

  test('when ready all are fine, with a query and by HEAD too', async () => {
    ready = async () => true;
    expect(await statusOf('/readyz?verbose=1')).toBe(200);
    expect(await statusOf('/startupz', 'HEAD')).toBe(200);
  });

  test('draining turns readyz off and leaves livez and startupz on', async () => {
    ready = () => true;
    expect(await statusOf('/startupz')).toBe(200);
    ready = () => false;
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/startupz')).toBe(200);
    expect(await statusOf('/livez')).toBe(200);
  });

  test('a ready function that throws, rejects or hangs is not ready', async () => {
    ready = () => {
      throw new Error('down');
    };
    expect(await statusOf('/readyz')).toBe(503);
    ready = () => Promise.reject(new Error('down'));
    expect(await statusOf('/readyz')).toBe(503);
    ready = () => new Promise(() => undefined);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/livez')).toBe(200);
  });
});

test('metrics in the Prometheus text format', async () => {
  const response = await fetch(`http://127.0.0.1:${monitoring.port}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toContain('nodejs_eventloop_lag_seconds{service="catalog"}');
});

test('anything else is 404', async () => {
  expect(await statusOf('/')).toBe(404);
  expect(await statusOf('/__proto__')).toBe(404);
  expect(await statusOf('/constructor')).toBe(404);
});

test('a taken port is an error, not a crash', async () => {
  const { registry } = createMetrics('other');
  const second = startMonitoring({ port: monitoring.port, host: '127.0.0.1', registry, ready: () => true });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
