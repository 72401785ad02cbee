import { toLetters } from '../names/legal-forms.ts';
import { nameKey } from '../names/name-key.ts';
import { trackedAmong } from '../names/tracked-among.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { codePointsOf } from '../text/code-points.ts';
import type { EditedText } from '../text/edited-text.ts';
import type { Span } from '../text/span.ts';
import { acceptNames, type RatedName } from './accept-names.ts';
import { type Candidate, readCandidates } from './candidates.ts';
import { cleanName } from './clean-name.ts';
import { labelledDomains, linkedDomain } from './name-domain.ts';
import { impossible, rateName } from './rate-name.ts';
import { type NameWords, nameWords } from './words.ts';

/** A name of a company, brand or product that an answer presents. Offsets are in code points of the answer's text. */
export type PresentedName = Span & {
  /** As written, without markup and punctuation around it. */
  name: string;
  /** Joins the spellings of a name. */
  key: string;
  /** Registrable domain of a link with this name, or of a cited source whose label is the name. */
  domain: string | null;
};

export type ReadText = {
  text: string;
  /** The text without citation marks. */
  cited: EditedText;
  language: string;
  sources: readonly { domain: string; cited: boolean }[];
  brands: readonly TrackedBrand[];
  /** Occurrences of tracked brands in the text. */
  tracked: readonly Span[];
};

const maxNames = 50;
/** So many of the first names are compared with the tracked ones at once. */
const maxAtOnce = 60;
/** A name with the marks around it. */
const maxWritten = 120;
/** A name with a domain is hardly an attribute. */
const domainScore = 1.5;
const kindScores: Record<Candidate['kind'], number> = {
  item: 0.4,
  'plain item': -0.2,
  heading: 0,
  cell: 0.2,
  column: -0.3,
  bold: -0.4,
  link: 0,
  listed: -0.1,
  bracket: -0.6,
};

/** The names that an answer presents and that are not tracked: at most 50, one a key, in the order of the text. */
export function findPresentedNames(answer: ReadText): PresentedName[] {
  const edited = answer.cited;
  const domains = labelledDomains(answer.sources);
  const accepted = acceptNames(rateCandidates(edited.text, answer.language, domains));
  const names = new Map<string, PresentedName>();
  for (let from = 0; from < accepted.length && names.size < maxNames; from += maxAtOnce) {
    for (const { name, letters, links, start, end } of withoutTracked(
      accepted.slice(from, from + maxAtOnce),
      edited,
      answer,
    )) {
      const key = nameKey(name);
      const known = names.get(key);
      if (known === undefined && names.size === maxNames) break;
      const domain = linkedDomain(letters, { start, end }, links) ?? domains.get(letters) ?? null;
      if (known !== undefined) known.domain ??= domain;
      else if (key !== '') names.set(key, { name, key, ...edited.toOriginal({ start, end }), domain });
    }
  }
  const found = [...names.values()];
  const toCodePoints = codePointsOf(answer.text, found);
  return found.map((each) => ({ ...each, start: toCodePoints(each.start), end: toCodePoints(each.end) }));
}

/** What a candidate's text says by itself. The place of the name is that in the text. */
type Form = { name: string; letters: string; form: number; from: number; to: number };

function rateCandidates(text: string, language: string, domains: ReadonlyMap<string, string>): RatedName[] {
  const words = nameWords(language);
  const forms = new Map<string, Form | null>();
  const rated: RatedName[] = [];
  for (const { kind, group, links, start, end } of readCandidates(text, words)) {
    const written = text.slice(start, end);
    const known = forms.get(written);
    const read = known === undefined ? readForm(written, words) : known;
    if (known === undefined) forms.set(written, read);
    // A list with a part that cannot be a name is rather a sentence.
    if (read === null && kind === 'listed') group.bias -= 0.4;
    if (read === null) continue;
    const { name, letters, form } = read;
    const span = { start: start + read.from, end: start + read.to };
    const hasDomain =
      domains.has(letters) || (links.length > 0 && linkedDomain(letters, span, links) !== null);
    const own = form + kindScores[kind] + (hasDomain ? domainScore : 0);
    rated.push({ name, letters, ...span, kind, group, links, own });
  }
  return rated;
}

function readForm(written: string, words: NameWords): Form | null {
  if (written.length > maxWritten) return null;
  const clean = cleanName(written);
  if (clean === null) return null;
  const form = rateName(clean.name, words);
  return form === impossible
    ? null
    : { name: clean.name, letters: toLetters(clean.name), form, from: clean.start, to: clean.end };
}

/** Removes the names that tracked brands have, or that overlap with an occurrence of one. */
function withoutTracked(names: readonly RatedName[], edited: EditedText, answer: ReadText): RatedName[] {
  const written = [...new Set(names.map(({ name }) => name))];
  const hidden = trackedAmong(written, answer.brands, answer.language);
  const spans = answer.tracked.toSorted((a, b) => a.start - b.start);
  let next = 0;
  return names.filter((each) => {
    const { start, end } = edited.toOriginal(each);
    while ((spans[next]?.end ?? Infinity) <= start) next += 1;
    return !hidden.has(each.name) && (spans[next]?.start ?? Infinity) >= end;
  });
}
