import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { adminUrl } from './database.ts';

const run = promisify(execFile);

async function output(tracing: Record<string, string>): Promise<string> {
  const script = fileURLToPath(new URL('fixtures/traced-queries.ts', import.meta.url));
  const { stdout } = await run(
    process.execPath,
    ['--conditions=@bv/source', '--import', '@bv/telemetry/register', script],
    {
      env: { PATH: process.env['PATH'], POSTGRES_URL: adminUrl(), ...tracing },
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      timeout: 30_000,
    },
  );
  return stdout;
}

test('with tracing on, every query is a span named after it, on the pool and in a transaction', async () => {
  const spans = await output({ OTEL_TRACES_EXPORTER: 'console' });
  expect(spans).toContain('pg.query:find_on_pool');
  expect(spans).toContain('pg.query:find_in_transaction');
});

test('with tracing off there is nothing', async () => {
  expect(await output({})).toBe('');
});
