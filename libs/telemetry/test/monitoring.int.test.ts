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

const getStatus = async (path: string, method = 'GET') =>
  (await fetch(`http://127.0.0.1:${monitoring.port}${path}`, { method })).status;

describe('probes', () => {
  test('before the start is complete only livez returns 200', async () => {
    expect(await getStatus('/livez')).toBe(200);
    expect(await getStatus('/readyz')).toBe(503);
    expect(await getStatus('/startupz')).toBe(503);
  });

  test('when ready all return 200, also with a query and for HEAD', async () => {
    ready = async () => true;
    expect(await getStatus('/readyz?verbose=1')).toBe(200);
    expect(await getStatus('/startupz', 'HEAD')).toBe(200);
  });

  test('while draining readyz returns 503, livez and startupz return 200', async () => {
    ready = () => true;
    expect(await getStatus('/startupz')).toBe(200);
    ready = () => false;
    expect(await getStatus('/readyz')).toBe(503);
    expect(await getStatus('/startupz')).toBe(200);
    expect(await getStatus('/livez')).toBe(200);
  });

  test('a ready function that throws, rejects or hangs is not ready', async () => {
    ready = () => {
      throw new Error('down');
    };
    expect(await getStatus('/readyz')).toBe(503);
    ready = () => Promise.reject(new Error('down'));
    expect(await getStatus('/readyz')).toBe(503);
    ready = () => new Promise(() => undefined);
    expect(await getStatus('/readyz')).toBe(503);
    expect(await getStatus('/livez')).toBe(200);
  });
});

test('metrics in the Prometheus text format', async () => {
  const response = await fetch(`http://127.0.0.1:${monitoring.port}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toContain('nodejs_eventloop_lag_seconds{service="catalog"}');
});

test('anything else is 404', async () => {
  expect(await getStatus('/')).toBe(404);
  expect(await getStatus('/__proto__')).toBe(404);
  expect(await getStatus('/constructor')).toBe(404);
});

test('a port in use is an error, not a crash', async () => {
  const { registry } = createMetrics('other');
  const second = startMonitoring({ port: monitoring.port, host: '127.0.0.1', registry, ready: () => true });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
