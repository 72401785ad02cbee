import { fileURLToPath } from 'node:url';
import { createDatabase } from '@bv/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { compareColumns } from './row-types/compare-columns.ts';
import { describeStatement, type Field } from './row-types/describe-statement.ts';
import { findStatements, type Statement } from './row-types/find-statements.ts';

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

/** Columns that the table allows to be null, but not in the rows that the statement sets or selects. */
const neverNull: Readonly<Record<string, string[]>> = {
  'events.find_newest_sent': ['seq'],
  'events.find_oldest_sent': ['seq'],
  'http.find_processed_operation': ['status', 'body'],
  'results.list_answers': ['answer_text'],
  'scans.update_units_finalised': ['finalized_at'],
  'webhooks.lease_deliveries': ['lease_token'],
  'webhooks.list_expired_leases': ['lease_token'],
};
/** Their columns are listed at run time. breakdown.int.test.ts runs each kind, and checks the rows of the response. */
const ignored = new Set(['results.list_slice_keys', 'results.list_slices']);
const used = new Set<string>();

let statements: Map<string, Statement[]>;
beforeAll(() => {
  statements = findStatements(fileURLToPath(new URL('..', import.meta.url)), Object.keys(packages), ignored);
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
