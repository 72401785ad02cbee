import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultMarkets, maxWindowDays } from '@bv/contract';
import { expect, test } from '@jest/globals';

const docs = join(import.meta.dirname, '../docs');
const guide = readFileSync(join(docs, 'guides/limits.md'), 'utf8');

type Schema = { [key: string]: Schema } & { maxLength?: number; maxItems?: number; maximum?: number };
const { components } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as {
  components: {
    schemas: Record<string, { properties: Schema }>;
    parameters: Record<string, { schema: Schema }>;
  };
};
const propertiesOf = (name: string): Schema => components.schemas[name]?.properties as Schema;
const prompt = propertiesOf('CreatePromptRequest');
const brand = propertiesOf('CreatePropertyRequest');
const match = propertiesOf('MatchRulesInput');

/** The numbers of a row of the guide, in order. */
function numbersOf(label: string): number[] {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${label} `));
  if (row === undefined) throw new Error(`the guide has no row ${label}`);
  const cells = row
    .slice(label.length + 2)
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/(\d),(\d{3})/g, '$1$2');
  return [...cells.matchAll(/\d+/g)].map(([number]) => Number(number));
}

const itemsOf = ({ maxItems, items }: Schema): (number | undefined)[] => [
  maxItems,
  (items as unknown as Schema).maxLength,
];

test.each<[string, (number | undefined)[]]>([
  ['prompt', [prompt['text']?.maxLength]],
  ['name of a brand', [brand['name']?.maxLength]],
  ['aliases', itemsOf(brand['aliases'] ?? {})],
  ['excluded phrases', itemsOf(match['exclude'] ?? {})],
  ['tags of a prompt', itemsOf(prompt['tags'] ?? {})],
  ['rows of a prompt sync', [propertiesOf('SyncPromptsRequest')['prompts']?.maxItems]],
  ['scores, share of voice, mentions, prompt results', [31, maxWindowDays.standard]],
  ['sources', [31, maxWindowDays.sources]],
])('%s', (label, expected) => {
  expect(expected).not.toContain(undefined);
  expect(numbersOf(label)).toEqual(expected);
});

test('the markets', () => {
  expect(guide).toContain(`\n${defaultMarkets.join(' ')}\n`);
});
