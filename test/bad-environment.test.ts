import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** Starts a program as a container does, with only these variables. */
function start(
  program: string,
  settings: Record<string, string> = {},
): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  const main = join(import.meta.dirname, '..', program, 'src/main.ts');
  const options = {
    env: { PATH: process.env['PATH'], ...settings },
    encoding: 'utf8',
    timeout: 60_000,
  } as const;
  return spawnSync(process.execPath, ['--conditions=@bv/source', main], options);
}

test.each([
  ['gateway', 'services/gateway', 'OPERATOR_TOKEN'],
  ['catalog', 'services/catalog', 'DATABASE_URL'],
  ['results', 'services/results', 'CURSOR_KEYS'],
  ['scans', 'services/scans', 'NATS_URL'],
  ['webhooks', 'services/webhooks', 'WEBHOOKS_SECRET_KEYS'],
  ['migrate', 'libs/migrator', 'CATALOG_DATABASE_URL'],
])('%s exits with one log line that names the missing variable', (service, program, variable) => {
  const { status, stdout, stderr } = start(program);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'fatal',
    service,
    err: { message: expect.stringMatching(`^configuration of ${service}: .*${variable}: `) },
  });
});

/** A password as key generators print it, where a URL needs it percent-encoded. */
const password = 'aBjR684eranIt5Ch13YS/7aoUFioc4N5CpAzCaJdAF4g=';

test.each([
  ['gateway', 'services/gateway', 'REDIS_URL', `redis://:${password}@cache.example.test:6380`],
  ['scans', 'services/scans', 'SENTIMENT_JUDGE_BASE_URL', `https://user:${password}@proxy.example.test`],
  ['webhooks', 'services/webhooks', 'WEBHOOKS_DNS_SERVERS', `user:${password}@dns`],
  ['migrate', 'libs/migrator', 'ADMIN_DATABASE_URL', `postgres://admin:${password}@db/bv`],
])('%s names a malformed URL and quotes nothing of it (%s, %s)', (service, program, variable, value) => {
  const { status, stdout, stderr } = start(program, { [variable]: value });
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({
    service,
    err: { message: expect.stringMatching(`^configuration of ${service}: .*${variable}`) },
  });
  for (const part of ['aBjR684', '7aoUFioc4N5', 'sentinel']) expect(stdout).not.toContain(part);
});

test('tracing names a malformed URL of its collector and quotes nothing of it', () => {
  const register = join(import.meta.dirname, '../libs/telemetry/src/register.ts');
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=@bv/source', register], {
    env: { PATH: process.env['PATH'], OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${password}@collector` },
    encoding: 'utf8',
  });
  expect([status, /configuration of tracing: OTEL_EXPORTER_OTLP_ENDPOINT: /.test(stderr)]).toEqual([1, true]);
  expect(stderr).not.toContain('7aoUFioc4N5');
});
