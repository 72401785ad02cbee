import { freePort, testCallerSecret } from '@bv/testkit';
import { startChild } from '@bv/testkit/bench';

/** Addresses of the service for requests and for its metrics. */
export type ServiceAddresses = { base: string; monitoring: string };

/** Starts the service as another process on these stores. */
export async function startService(databaseUrl: string, natsUrl: string): Promise<ServiceAddresses> {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    MONITORING_PORT: String(monitoringPort),
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    DRAIN_MS: '0',
  };
  await startChild(new URL('../src/main.ts', import.meta.url), { env, line: /"msg":"ready"/ });
  return { base: `http://127.0.0.1:${port}`, monitoring: `http://127.0.0.1:${monitoringPort}` };
}
