import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { extract, type TrackedBrand } from '@bv/extraction';
import { hasRecordedBodies, readAnswer } from './recorded-bodies.ts';

const tones = ['positive', 'neutral', 'negative'] as const;
type Tone = (typeof tones)[number];

/** The tone towards each mentioned brand of each recorded answer, as a reader labelled it. */
const labels = JSON.parse(readFileSync(new URL('recorded-tones.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, Tone>
>;

/** A sentiment of 55 and more is positive, of 45 and less negative. */
function toTone(sentiment: number): Tone {
  if (sentiment >= 55) return 'positive';
  return sentiment <= 45 ? 'negative' : 'neutral';
}

function createBrand(name: string, index: number): TrackedBrand {
  return { id: name, name, domain: `unused-${index}.example`, aliases: [], isOwn: false };
}

function rateAnswers(): { label: Tone; rated: Tone | null; brand: string }[] {
  return Object.entries(labels).flatMap(([name, byBrand]) => {
    const brands = Object.keys(byBrand).map(createBrand);
    return extract({ answerText: readAnswer(name).answerText, sources: [], brands }).map(
      ({ brandId, sentiment }) => ({
        label: byBrand[brandId] ?? 'neutral',
        rated: sentiment === null ? null : toTone(sentiment),
        brand: `${name}: ${brandId}`,
      }),
    );
  });
}

if (hasRecordedBodies) {
  test('the lexicon reads the tone of 85 % of the mentions in real answers, and reverses none', () => {
    const rated = rateAnswers();
    const count = (label: Tone, tone: Tone): number =>
      rated.filter((each) => each.label === label && each.rated === tone).length;
    const right = tones.reduce((sum, tone) => sum + count(tone, tone), 0);
    process.stdout.write(
      `Tone of ${rated.length} mentions in real answers, ${right} right, by label and rating:\n`,
    );
    for (const label of tones) {
      const row = tones.map((tone) => String(count(label, tone)).padStart(9)).join(' ');
      process.stdout.write(`  ${label.padEnd(9)} ${row}\n`);
    }
    expect(rated.filter((each) => each.rated === null).map(({ brand }) => brand)).toEqual([]);
    expect(right / rated.length).toBeGreaterThanOrEqual(0.85);
    expect(count('positive', 'negative') + count('negative', 'positive')).toBe(0);
  });
} else {
  test('recorded real answers are not available', () => {
    expect(hasRecordedBodies).toBe(false);
  });
}
