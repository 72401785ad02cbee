import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Agreement, agreementOf, agreements, percent, type ToneScore } from '../src/labels/agreement.ts';

const root = new URL('../../../', import.meta.url);
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The files that publish the agreement of the lexicon, with the figures of this score. */
export function publishFigures(score: ToneScore): { path: string; current: string; content: string }[] {
  return [
    replaceIn(
      'libs/contract/src/methodology/lexicon-accuracy.ts',
      /(?<=\nconst rows.* = )[^;]*/,
      toRows(score),
    ),
    replaceIn('docs/guides/sentiment.md', /\| Mentions [^]*?\n(?=\n)/, toTable(score)),
  ];
}

function replaceIn(name: string, pattern: RegExp, text: string) {
  const path = fileURLToPath(new URL(name, root));
  const current = readFileSync(path, 'utf8');
  if (!pattern.test(current)) throw new Error(`${name} has no place for the figures`);
  return { path, current, content: current.replace(pattern, () => text) };
}

function toRows(score: ToneScore): string {
  const quote = (text: string | undefined): string => (text === undefined ? 'null' : `'${text}'`);
  const rows = agreements(score).map(({ tone, language, mentions, right, low, high }) => {
    const figures = [right, low, high].map((share) => Number(percent(share)));
    return `  [${[quote(tone), quote(language), mentions, ...figures].join(', ')}],\n`;
  });
  return `[\n${rows.join('')}]`;
}

/** Languages with fewer mentions are only in the methodology. */
const leastMentions = 20;

function toTable(score: ToneScore): string {
  const toCells = (name: string, { mentions, right, low, high, reversed }: Agreement): string[] => [
    name,
    String(mentions),
    percent(right),
    `${percent(low)} to ${percent(high)}`,
    percent(reversed),
  ];
  const answers = score.byKind.get('answer');
  const cells = [
    ['Mentions', 'Number', 'Lexicon right, %', '95 % interval', 'Reversed, %'],
    ...agreements(score)
      .filter(({ language, mentions }) => language === undefined || mentions >= leastMentions)
      .map(({ tone, language, ...each }) =>
        toCells(tone ?? (language === undefined ? 'all' : (languageNames.of(language) ?? language)), each),
      ),
    ...(answers === undefined ? [] : [toCells('AI answers', agreementOf(answers))]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return lines
    .toSpliced(1, 0, rule)
    .map((row) => `| ${row.join(' | ')} |\n`)
    .join('');
}
