import { randomUUID } from 'node:crypto';
import type { Operation } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { describe, expect, test } from '@jest/globals';
import type { Catalog } from './catalog.ts';

const tables = ['orgs', 'brands', 'prompts'];
const over1Mb = `"${'x'.repeat(1_048_575)}"`;

/** Defines tests of the errors that all operations share. `valid` is a body that the operation accepts. */
export function testCommonRefusals(operation: Operation, getCatalog: () => Catalog, valid?: object): void {
  const { id } = operation;
  const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const send = (body: unknown = valid, params: Record<string, string> = {}, query = '') => {
    const unknownIds = Object.fromEntries(parameters.map((name) => [name, randomUUID()]));
    return getCatalog().call(operation, { params: { ...unknownIds, ...params }, body, query });
  };

  if (operation.body !== null) {
    describe(`${id} 400 and 413`, () => {
      test.each<[string, number, unknown]>([
        ['invalid_json', 400, '{"name":'],
        ['invalid_body', 400, Uint8Array.of(0x22, 0xff, 0x22)],
        ['payload_too_large', 413, over1Mb],
      ])('%s', async (code, status, body) => {
        const response = await send(body);
        expect(response.status).toBe(status);
        expect(response.error).toEqual({
          code,
          message: expect.any(String),
          doc_url: `/docs/errors#${code}`,
        });
      });

      test.each<[string, unknown]>([
        ['null', 'null'],
        ['a list', []],
        ['a text', '"text"'],
        ['nothing', undefined],
      ])('validation_error at the body as a whole: %s', async (_, body) => {
        const response = await (body === undefined ? send(new Uint8Array()) : send(body));
        expect(response.status).toBe(400);
        expect(response.error).toMatchObject({
          code: 'validation_error',
          details: [{ path: '', code: 'invalid_type' }],
        });
      });
    });
  }

  if (parameters.length > 0) {
    test.each(parameters)(`${id} 400 validation_error invalid_format at %s`, async (name) => {
      const response = await send(valid, { [name]: '00000000-0000-0000-0000-00000000000g' });
      expect(response.status).toBe(400);
      expect(response.error).toMatchObject({
        code: 'validation_error',
        details: [{ path: name, code: 'invalid_format' }],
      });
    });
  }

  if (operation.success.kind === 'list') {
    test.each([
      ['too_small', 'limit=0'],
      ['too_big', 'limit=201'],
      ['invalid_type', 'limit=1.5'],
      ['invalid_type', 'limit=1&limit=1'],
    ])(`${id} 400 validation_error %s for %s`, async (code, query) => {
      const response = await send(undefined, {}, query);
      expect(response.status).toBe(400);
      expect(response.error).toMatchObject({
        code: 'validation_error',
        details: [{ path: 'limit', code }],
      });
    });

    test.each(['x', '', 'AAAA'.repeat(20)])(
      `${id} 400 invalid_cursor without details for "%s"`,
      async (cursor) => {
        const { status, error } = await send(undefined, {}, `cursor=${cursor}`);
        expect(status).toBe(400);
        expect(error).toEqual({
          code: 'invalid_cursor',
          message: expect.any(String),
          doc_url: '/docs/errors#invalid_cursor',
        });
      },
    );
  }

  test(`${id} 503 api_unavailable when the database connection breaks during the request`, async () => {
    const client = await getCatalog().sql.connect();
    try {
      await client.query(`begin; lock table ${tables.join()} in access exclusive mode`);
      const response = send();
      await eventually(async () => {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBeGreaterThan(0);
      });
      const { status, code, headers } = await response;
      expect({ status, code }).toEqual({ status: 503, code: 'api_unavailable' });
      expect(headers.get('retry-after')).toBe('5');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test(`${id} 500 internal_error for an unexpected error, without its details`, async () => {
    const { sql } = getCatalog();
    for (const table of tables) {
      await sql.query(`alter table ${table} enable row level security, force row level security`);
      await sql.query(`create policy fails on ${table} using (1 / 0 = 1)`);
    }
    try {
      const { status, error } = await send();
      expect({ status, error }).toEqual({
        status: 500,
        error: {
          code: 'internal_error',
          message: 'Internal error',
          doc_url: '/docs/errors#internal_error',
        },
      });
    } finally {
      for (const table of tables) {
        await sql.query(`drop policy fails on ${table}`);
        await sql.query(`alter table ${table} disable row level security, no force row level security`);
      }
    }
  });
}
