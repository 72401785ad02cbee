import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const services = readdirSync(join(root, 'services'));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const eventTables = read('libs/events/sql/events.sql');
const operationTable = read('libs/http/sql/processed_operations.sql');

describe.each(services)('%s', (service) => {
  const folder = `services/${service}/migrations`;

  test('has the event tables of libs/events unchanged', () => {
    expect(read(`${folder}/0001_events.sql`)).toBe(eventTables);
  });

  test.each(['dead_events', 'failed_attempts', 'dead_event_ids'])(
    'has %s of libs/events unchanged',
    (change) => {
      const [file = '', ...more] = readdirSync(join(root, folder)).filter((name) =>
        name.endsWith(`_${change}.sql`),
      );
      expect(more).toEqual([]);
      expect(read(`${folder}/${file}`)).toBe(read(`libs/events/sql/${change}.sql`));
    },
  );

  test('has the table of processed operations of libs/http unchanged', () => {
    expect(read(`${folder}/0002_processed_operations.sql`)).toBe(operationTable);
  });

  test('has a README and a README of its statements', () => {
    expect(existsSync(join(root, `services/${service}/README.md`))).toBe(true);
    expect(existsSync(join(root, `services/${service}/src/db/README.md`))).toBe(true);
  });
});
