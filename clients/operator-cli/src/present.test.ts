import { describe, expect, it } from '@jest/globals';
import { itemTable, nestedFields, rowsTable } from './present.ts';

const row = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  consumer: 'results-catalog',
  type: 'catalog.brand.changed.v1',
  attempts: 12,
  error: 'id: Invalid input: expected string, received undefined; source: Invalid input…',
  created_at: '2026-11-01T00:00:00.000Z',
};
const columns = ['id', 'consumer', 'type', 'attempts', 'error'];

describe('tables', () => {
  it.each([80, 100, 120, 160])('fit a terminal of %i characters and never truncate an id', (width) => {
    const lines = rowsTable([row, { ...row, error: 'short' }], { columns, width }).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(row.id);
    expect(lines[1]).toContain('…');
  });

  it('show the whole text of the chosen columns if the width is unknown', () => {
    const text = rowsTable([row], { columns });
    expect(text).toContain(row.error);
    expect(text).not.toContain(row.created_at);
    expect(rowsTable([row])).toContain(row.created_at);
  });

  it('print a field as JSON below an item, without control characters', () => {
    const text = itemTable({ id: 'x', message: { note: 'a\u009bb', list: [1] } }, 'message');
    expect(text).toBe(
      ['id  x', '', 'message', '{', '  "note": "a b",', '  "list": [', '    1', '  ]', '}'].join('\n'),
    );
  });

  it('print nested values on lines of their own, and tell null, unlimited and empty apart', () => {
    const usage = {
      prompts: { used: 0, limit: null },
      countries: { limit: 3, codes: [] },
      manual_scans: null,
    };
    const text = itemTable({ id: 'x', overrides: {}, scopes: ['read', 'write'], usage });
    expect(text.split('\n')).toEqual([
      'id         x',
      'overrides  none',
      'scopes     read, write',
      'usage',
      '  prompts',
      '    used   0',
      '    limit  unlimited',
      '  countries',
      '    limit  3',
      '    codes  none',
      '  manual_scans  -',
    ]);
    expect(itemTable({ overrides: { prompts: null, countries: 5 } }).split('\n')).toEqual([
      'overrides',
      '  prompts    unlimited',
      '  countries  5',
    ]);
  });

  it('print a list of objects in an item as a table', () => {
    const log = [
      { number: 2, outcome: 'failed' },
      { number: 1, outcome: 'failed' },
    ];
    expect(itemTable({ id: 'x', log }).split('\n')).toEqual([
      'id  x',
      'log',
      '  NUMBER  OUTCOME',
      '  2       failed',
      '  1       failed',
    ]);
  });

  it('omit nested fields from the columns of a list', () => {
    const rows = [
      { id: 'x', overrides: { prompts: 1 } },
      { id: 'y', overrides: {} },
    ];
    expect(nestedFields(rows)).toEqual(['overrides']);
    expect(rowsTable(rows).split('\n')).toEqual(['ID', 'x', 'y']);
    expect(rowsTable([{ prompts: null }], { unlimited: ['prompts'] })).toContain('unlimited');
  });
});
