import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuredPrograms, loadConfigSchema } from '@bv/codegen';
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';

const page = readFileSync(join(import.meta.dirname, '../docs/configuration.md'), 'utf8');
const platforms = ['CHATGPT', 'PERPLEXITY', 'GEMINI', 'CLAUDE', 'AI_OVERVIEWS'];
const services = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];

type Row = { name: string; type: string; fallback: string; meaning: string };
/** The rows of each section, with a row per platform where one stands for all. */
const sections = new Map(
  page.split(/^## /m).map((section): [string, Row[]] => {
    const rows = [...section.matchAll(/^- `([\w<>]+)` \((.*?); (.*?)\)\. (.*)$/gm)];
    return [
      section.slice(0, section.indexOf('\n')),
      rows.map(([, name = '', type = '', fallback = '', meaning = '']) => ({
        name,
        type,
        fallback,
        meaning,
      })),
    ];
  }),
);

const fields = await Promise.all(
  configuredPrograms.map(async (program) => {
    const { shape } = await loadConfigSchema(program);
    return Object.entries(shape).map(([name, field]) => ({ program, name, field: field as z.ZodType }));
  }),
);

/** The name of the row that describes a variable, if there is one for several platforms. */
function placeholderOf(name: string): string | undefined {
  const platform = platforms.find((each) => name.startsWith(`${each}_`));
  return platform && name.replace(platform, '<PLATFORM>');
}

function rowsOf(program: string, name: string): Row[] {
  const common = services.includes(program) ? (sections.get('All services') ?? []) : [];
  const rows = [...common, ...(sections.get(program) ?? [])];
  const exact = rows.filter((row) => row.name === name);
  return exact.length > 0 ? exact : rows.filter((row) => row.name === placeholderOf(name));
}

/** The default that the row states for a program or platform. */
function statedDefault({ fallback }: Row, of: string): string {
  const own = new RegExp(`(?:^|, )${of} (\`[^\`]*\`|empty|none)`).exec(fallback)?.[1];
  const usual = fallback.replace(/, \w+ `.*$/, '');
  return (own ?? usual).replace(/ \(.*\)$/, '');
}

describe.each(fields.flat().map((each) => [`${each.program} ${each.name}`, each] as const))(
  '%s',
  (_, { program, name, field }) => {
    const [row = { name: '', type: '', fallback: '', meaning: '' }, ...others] = rowsOf(program, name);

    test('has one row with a meaning', () => {
      expect(others).toEqual([]);
      expect(row.meaning).not.toBe('');
    });

    test('its default is that of the row', () => {
      const platform = platforms.find((each) => name.startsWith(`${each}_`));
      const stated = statedDefault(row, platform ?? program);
      const unset = field.safeParse(undefined);
      expect(stated === '**required**').toBe(!unset.success);
      expect(stated === 'none').toBe(unset.success && unset.data === undefined);
      const value = /^`(.*)`$/.exec(stated)?.[1] ?? '';
      if (unset.success && stated !== 'none') expect(field.parse(value)).toEqual(unset.data);
    });

    const [, min, max] = /(-?[\d.]+) (?:to (\d+)|or more)$/.exec(row.type) ?? [];
    if (min !== undefined) {
      test('accepts the bounds of the row and nothing outside of them', () => {
        const step = row.type.startsWith('integer') ? 1 : 0.001;
        expect(field.safeParse(min).success).toBe(true);
        expect(field.safeParse(max ?? min).success).toBe(true);
        expect(field.safeParse(`${Number(min) - step}`).success).toBe(false);
        const accepted = field.safeParse(`${Number(max ?? Number.MAX_SAFE_INTEGER - 1) + step}`).success;
        expect(accepted).toBe(max === undefined);
      });
    } else {
      test('no number has bounds that the row lacks', () => {
        expect(row.type).not.toMatch(/^(?:integer|number)(?:,|$)/);
      });
    }
  },
);

test('the page names no other variable', () => {
  const known = new Set(fields.flat().flatMap(({ name }) => [name, placeholderOf(name)]));
  const named = [...sections.values()].flat().map(({ name }) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(90);
});
