import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

type Ended = { status: unknown; out: string; err: string };

/** A program as a container starts it, with nothing in its environment. */
const start = (program: string): Promise<Ended> =>
  new Promise((resolve) => {
    const main = join(import.meta.dirname, '..', program, 'src/main.ts');
    const options = { env: { PATH: process.env['PATH'] }, timeout: 60_000 };
    execFile(process.execPath, ['--conditions=@bv/source', main], options, (error, out, err) =>
      resolve({ status: error?.code, out, err }),
    );
  });

test.each([
  ['gateway', 'services/gateway', 'OPERATOR_TOKEN'],
  ['catalog', 'services/catalog', 'DATABASE_URL'],
  ['results', 'services/results', 'CURSOR_KEYS'],
  ['scans', 'services/scans', 'NATS_URL'],
  ['webhooks', 'services/webhooks', 'WEBHOOKS_SECRET_KEYS'],
  ['migrate', 'libs/migrator', 'CATALOG_DATABASE_URL'],
])(
  '%s ends with one line of its log that names what its environment lacks',
  async (service, program, variable) => {
    const { status, out, err } = await start(program);
    expect({ status, err }).toEqual({ status: 1, err: '' });
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      level: 'fatal',
      service,
      err: { message: expect.stringMatching(`^configuration of ${service}: .*${variable}: `) },
    });
  },
);
