import { fileURLToPath } from 'node:url';
import { createDatabase } from '@bv/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { compareColumns } from './row-types/compare-columns.ts';
import { describeStatement, type Field } from './row-types/describe-statement.ts';
import { type Column, findStatements, type Statement } from './row-types/find-statements.ts';

/** Packages with statements, and the service in whose schema they run. */
const packages = {
  'libs/events': 'catalog',
  'libs/http': 'catalog',
  'services/catalog': 'catalog',
  'services/gateway': 'gateway',
  'services/results': 'results',
  'services/scans': 'scans',
  'services/webhooks': 'webhooks',
};

/** Columns that the table allows to be null, but that the statement sets or selects by. */
const neverNull: Readonly<Record<string, string[]>> = {
  'http.find_processed_operation': ['status', 'body'],
  'results.list_answers': ['answer_text'],
  'scans.update_units_finalised': ['finalized_at'],
  'webhooks.lease_deliveries': ['lease_token'],
  'webhooks.list_expired_leases': ['lease_token'],
};
const used = new Set<string>();

let statements: Map<string, Statement[]>;
beforeAll(() => {
  statements = findStatements(fileURLToPath(new URL('..', import.meta.url)), Object.keys(packages));
});

/** What the server says about each text of a statement, compared with its row type. */
async function checkStatement(
  client: pg.Client,
  { place, name, texts, columns }: Statement,
): Promise<string[]> {
  const differences: string[] = [];
  for (const text of texts) {
    try {
      const fields = (await describeStatement(client, text)).map((field) => withoutNull(name, field));
      differences.push(...(columns === undefined ? [] : compareColumns(text, columns, fields)));
    } catch (error) {
      differences.push(`is not valid: ${String(error)}`);
    }
  }
  return differences.map((difference) => `${place}: ${name}: ${difference}`);
}

function withoutNull(statement: string, field: Field): Field {
  if (neverNull[statement]?.includes(field.name) !== true || field.nullable !== true) return field;
  used.add(`${statement} ${field.name}`);
  return { ...field, nullable: undefined };
}

describe('the schema accepts each statement, and each row type has the columns that its statement returns', () => {
  test.each(Object.entries(packages))('%s', async (name, service) => {
    const database = await createDatabase(service);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const found = statements.get(name) ?? [];
      const differences: string[] = [];
      for (const statement of found) differences.push(...(await checkStatement(client, statement)));
      expect(found.length).toBeGreaterThan(0);
      expect(differences).toEqual([]);
    } finally {
      await client.end();
      await database.drop();
    }
  });

  test('no exception is left over', () => {
    const listed = Object.entries(neverNull).flatMap(([name, columns]) =>
      columns.map((column) => `${name} ${column}`),
    );
    expect([...used].toSorted()).toEqual(listed.toSorted());
  });
});

describe('a row type that does not fit is noticed', () => {
  const [int4, text, jsonb] = [23, 25, 3802];
  const id: Column = { name: 'id', kind: 'string', nullable: false };
  const field: Field = { name: 'id', typeId: text, nullable: false };

  test.each<[string, Column[], Field[], string[]]>([
    ['nothing', [id], [field], []],
    ['a column that is not selected', [id], [], ['id is not returned']],
    [
      'a column that the type lacks',
      [id],
      [field, { ...field, name: 'n' }],
      ['n is returned, but not in the row type'],
    ],
    ['two columns of one name', [id], [field, field], ['id is returned twice']],
    ['another type', [id], [{ ...field, typeId: int4 }], ['id is number, not string']],
    ['a document for a text', [id], [{ ...field, typeId: jsonb }], ['id is json, not string']],
    ['a null', [id], [{ ...field, nullable: true }], ['id can be null']],
    ['no null', [{ ...id, nullable: true }], [field], ['id is never null']],
    ['a tuple that is too short', [{ ...id, name: null }], [field, field], ['2 columns for a tuple of 1']],
  ])('%s', (_, columns, fields, differences) => {
    expect(compareColumns('select id from brands', columns, fields)).toEqual(differences);
  });

  test('a column of an outer join can be null', () => {
    const joined = 'select b.id from orgs o left join brands b on b.org_id = o.id';
    expect(compareColumns(joined, [{ ...id, nullable: true }], [field])).toEqual([]);
  });
});
