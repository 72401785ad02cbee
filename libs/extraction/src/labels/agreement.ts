import { wilsonInterval } from '@bv/statistics';
import { extract } from '../extract.ts';
import { type LabelledPassage, toBrands, type Tone, tones } from './labelled-passages.ts';

/** Sentiments of the brands of each passage, in order. Null or missing: not rated. */
export type Ratings = readonly (readonly (number | null | undefined)[])[];

/** Numbers of mentions by label (rows) and rated tone (columns). */
export type Confusion = Record<Tone, Record<Tone | 'none', number>>;

export type ToneScore = {
  all: Confusion;
  byLanguage: ReadonlyMap<string, Confusion>;
  byKind: ReadonlyMap<string, Confusion>;
  misses: readonly string[];
};

/** Agreement of a rater with the labels of some mentions. Shares are 0 to 1; the bounds are those of 95 %. */
export type Agreement = { mentions: number; right: number; low: number; high: number; reversed: number };

export function rateByLexicon(passages: readonly LabelledPassage[]): Ratings {
  return passages.map((passage) =>
    extract({ answerText: passage.text, sources: [], brands: toBrands(passage) }).map(
      ({ sentiment }) => sentiment,
    ),
  );
}

export function scoreTones(passages: readonly LabelledPassage[], ratings: Ratings): ToneScore {
  const all = emptyConfusion();
  const byLanguage = new Map<string, Confusion>();
  const byKind = new Map<string, Confusion>();
  const misses: string[] = [];
  for (const [place, { language, kind, text, brands }] of passages.entries()) {
    for (const [index, [name, label]] of Object.entries(brands).entries()) {
      const rated = toTone(ratings[place]?.[index]);
      for (const confusion of [all, of(byLanguage, language), of(byKind, kind)]) confusion[label][rated] += 1;
      if (rated !== label) misses.push(`${language} ${kind}: ${name} ${label}, rated ${rated}: ${text}`);
    }
  }
  return { all, byLanguage, byKind, misses };
}

/** A sentiment of 55 and more is positive, of 45 and less negative. */
function toTone(sentiment: number | null | undefined): Tone | 'none' {
  if (sentiment === null || sentiment === undefined) return 'none';
  if (sentiment >= 55) return 'positive';
  return sentiment <= 45 ? 'negative' : 'neutral';
}

/** Of the mentions with these labels. A mention without a rating counts as wrong. */
export function agreementOf(confusion: Confusion, labels: readonly Tone[] = tones): Agreement {
  const sum = (count: (label: Tone) => number): number =>
    labels.reduce((total, label) => total + count(label), 0);
  const mentions = sum((label) => Object.values(confusion[label]).reduce((total, count) => total + count, 0));
  const right = sum((label) => confusion[label][label]) / mentions;
  const opposite = { positive: 'negative', neutral: 'none', negative: 'positive' } as const;
  const reversed = sum((label) => (label === 'neutral' ? 0 : confusion[label][opposite[label]])) / mentions;
  return { mentions, right, reversed, ...(wilsonInterval(right, mentions) ?? { low: 0, high: 1 }) };
}

/** All mentions, then those of each label, then those of each language, most frequent first. */
export function agreements({
  all,
  byLanguage,
}: ToneScore): ({ tone?: Tone; language?: string } & Agreement)[] {
  const languages = [...byLanguage].map(([language, confusion]) => ({ language, ...agreementOf(confusion) }));
  const rows = [
    agreementOf(all),
    ...tones.map((tone) => ({ tone, ...agreementOf(all, [tone]) })),
    ...languages.toSorted((a, b) => b.mentions - a.mentions || a.language.localeCompare(b.language)),
  ];
  return rows.filter(({ mentions }) => mentions > 0);
}

export const percent = (share: number): string => (share * 100).toFixed(1);

/** Lines of text: the confusion table, and the agreement of all, of each label, language and kind. */
export function toReport(title: string, score: ToneScore): string[] {
  const { all, byKind } = score;
  const columns = [...tones, 'none'] as const;
  const toRow = (name: string, cells: readonly (string | number)[]): string =>
    `  ${name.padEnd(12)} ${cells.map((cell) => String(cell).padStart(9)).join(' ')}`;
  const toLine = (name: string, { mentions, right, low, high, reversed }: Agreement): string =>
    `${toRow(name, [mentions, percent(right)])}  ${`${percent(low)} to ${percent(high)}`.padStart(14)} ${percent(reversed).padStart(9)}`;
  return [
    title,
    toRow('rated', columns),
    ...tones.map((tone) =>
      toRow(
        tone,
        columns.map((column) => all[tone][column]),
      ),
    ),
    `${toRow('', ['mentions', 'right %'])}  ${'95 % interval'.padStart(14)} ${'reversed'.padStart(9)}`,
    ...agreements(score).map(({ tone, language, ...each }) => toLine(tone ?? language ?? 'all', each)),
    ...[...byKind].map(([kind, confusion]) => toLine(kind, agreementOf(confusion))),
  ];
}

function of(confusions: Map<string, Confusion>, name: string): Confusion {
  const confusion = confusions.get(name) ?? emptyConfusion();
  confusions.set(name, confusion);
  return confusion;
}

function emptyConfusion(): Confusion {
  const row = (): Confusion[Tone] => ({ positive: 0, neutral: 0, negative: 0, none: 0 });
  return { positive: row(), neutral: row(), negative: row() };
}
