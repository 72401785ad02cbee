import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { TrackedBrand } from '../names/tracked-brand.ts';

export const tones = ['positive', 'neutral', 'negative'] as const;
export type Tone = (typeof tones)[number];

const Passage = z.looseObject({
  language: z.string().min(1).max(20),
  /** Groups passages in reports. */
  kind: z.string().min(1).max(50).default('passage'),
  text: z.string().min(1),
  brands: z.record(z.string().min(1), z.enum(tones)).refine((brands) => Object.keys(brands).length > 0, {
    error: 'Expected at least one brand.',
  }),
});
/** A text with the tone towards each brand in it, as a reader labelled it. */
export type LabelledPassage = z.infer<typeof Passage>;

/** Labelled before any rating. The word lists are not built on them. */
export const unseenLabels = fileURLToPath(new URL('../../labels/unseen.jsonl', import.meta.url));

/** Parses JSON lines, one passage each. The error names the first invalid line. Throws without any passage. */
export function parsePassages(lines: string): LabelledPassage[] {
  const passages = lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const place = `line ${index + 1}`;
    const parsed = Passage.safeParse(parseJson(line, place));
    if (parsed.success) return [parsed.data];
    const [problem] = parsed.error.issues;
    throw new Error([place, ...(problem?.path ?? []), problem?.message].join(': '));
  });
  if (passages.length === 0) throw new Error('no labelled passage');
  return passages;
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new Error(`${place}: not JSON`);
  }
}

/** The brands of a passage, in the order of their labels. */
export function toBrands({ brands }: Pick<LabelledPassage, 'brands'>): TrackedBrand[] {
  return Object.keys(brands).map((name, index) => ({
    id: name,
    name,
    domain: `unused-${index}.example`,
    aliases: [],
    isOwn: index === 0,
  }));
}
