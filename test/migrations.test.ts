import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const shared = read('libs/events/sql/events.sql') + read('libs/http/sql/processed_operations.sql');
const services = readdirSync(join(root, 'services'));

describe.each(services)('%s', (service) => {
  test('begins with the tables of libs/events and libs/http unchanged', () => {
    const initial = read(`services/${service}/migrations/0001_initial.sql`);
    expect(initial.slice(0, shared.length)).toBe(shared);
  });

  test('adds the organisation of a recorded response', () => {
    const dir = `services/${service}/migrations`;
    const file = readdirSync(join(root, dir)).find((name) => name.endsWith('_operation_org.sql'));
    expect(read(`${dir}/${file}`)).toBe(read('libs/http/sql/processed_operations_org.sql'));
  });

  test('has a README and a README of its statements', () => {
    expect(existsSync(join(root, `services/${service}/README.md`))).toBe(true);
    expect(existsSync(join(root, `services/${service}/src/db/README.md`))).toBe(true);
  });
});
