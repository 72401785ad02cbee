import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** A program as a container starts it, with nothing in its environment. */
function start(program: string): { status: number | null; stdout: string; stderr: string } {
  const main = join(import.meta.dirname, '..', program, 'src/main.ts');
  const options = { env: { PATH: process.env['PATH'] }, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, ['--conditions=@bv/source', main], options);
}

test.each([
  ['gateway', 'services/gateway', 'OPERATOR_TOKEN'],
  ['catalog', 'services/catalog', 'DATABASE_URL'],
  ['results', 'services/results', 'CURSOR_KEYS'],
  ['scans', 'services/scans', 'NATS_URL'],
  ['webhooks', 'services/webhooks', 'WEBHOOKS_SECRET_KEYS'],
  ['migrate', 'libs/migrator', 'CATALOG_DATABASE_URL'],
])('%s ends with one line of its log that names what its environment lacks', (service, program, variable) => {
  const { status, stdout, stderr } = start(program);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'fatal',
    service,
    err: { message: expect.stringMatching(`^configuration of ${service}: .*${variable}: `) },
  });
});
