import type { SentimentAccuracy } from './sentiment-accuracy.ts';

/** `pnpm bench extraction --write` writes the rows. */
const rows: [SentimentAccuracy['tone'], string | null, ...[number, number, number, number]][] = [
  [null, null, 245, 55.1, 48.8, 61.2],
  ['positive', null, 74, 56.8, 45.4, 67.4],
  ['neutral', null, 72, 73.6, 62.4, 82.4],
  ['negative', null, 99, 40.4, 31.3, 50.3],
  [null, 'en', 119, 56.3, 47.3, 64.9],
  [null, 'de', 35, 54.3, 38.2, 69.5],
  [null, 'fr', 26, 61.5, 42.5, 77.6],
  [null, 'da', 24, 50, 31.4, 68.6],
  [null, 'es', 24, 50, 31.4, 68.6],
  [null, 'it', 8, 37.5, 13.7, 69.4],
  [null, 'nl', 6, 66.7, 30, 90.3],
  [null, 'no', 3, 66.7, 20.8, 93.9],
];

/** Of the lexicon, on labelled mentions that its word lists were not built on. */
export const lexiconAccuracy = rows.map(
  ([tone, language, mentions, agreement, agreement_low, agreement_high]): SentimentAccuracy => {
    return { method: 'lexicon', tone, language, mentions, agreement, agreement_low, agreement_high };
  },
);
