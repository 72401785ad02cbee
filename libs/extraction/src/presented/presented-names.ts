import { toLetters } from '../names/legal-forms.ts';
import { nameKey } from '../names/name-key.ts';
import { trackedAmong } from '../names/tracked-among.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { removeCitationMarks } from '../text/citation-marks.ts';
import { codePointsOf } from '../text/code-points.ts';
import { EditedText } from '../text/edited-text.ts';
import type { Span } from '../text/span.ts';
import { acceptNames, type RatedName } from './accept-names.ts';
import { type Candidate, readCandidates } from './candidates.ts';
import { cleanName } from './clean-name.ts';
import { labelledDomains, linkedDomain } from './name-domain.ts';
import { impossible, rateName } from './rate-name.ts';
import { nameWords } from './words.ts';

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
  language: string;
  sources: readonly { domain: string; cited: boolean }[];
  brands: readonly TrackedBrand[];
  /** Occurrences of tracked brands in the text. */
  tracked: readonly Span[];
};

const maxNames = 50;
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
};

/** The names that an answer presents and that are not tracked: at most 50, one a key, in the order of the text. */
export function findPresentedNames(answer: ReadText): PresentedName[] {
  const edited = removeCitationMarks(new EditedText(answer.text));
  const domains = labelledDomains(answer.sources);
  const rated = rateCandidates(edited.text, answer.language, domains);
  const accepted = withoutTracked(acceptNames(rated), edited, answer);
  const names = new Map<string, PresentedName>();
  for (const { name, letters, links, ...span } of accepted) {
    const domain = linkedDomain(letters, span, links) ?? domains.get(letters) ?? null;
    const key = nameKey(name);
    const known = names.get(key);
    if (known !== undefined) known.domain ??= domain;
    else if (key !== '') names.set(key, { name, key, ...edited.toOriginal(span), domain });
  }
  const found = [...names.values()].slice(0, maxNames);
  const toCodePoints = codePointsOf(answer.text, found);
  return found.map((each) => ({ ...each, start: toCodePoints(each.start), end: toCodePoints(each.end) }));
}

function rateCandidates(text: string, language: string, domains: ReadonlyMap<string, string>): RatedName[] {
  const words = nameWords(language);
  const rated: RatedName[] = [];
  for (const candidate of readCandidates(text, words)) {
    const clean = cleanName(text, candidate);
    if (clean === null) continue;
    const form = rateName(clean.name, words);
    if (form === impossible) continue;
    const { kind, group, links } = candidate;
    const letters = toLetters(clean.name);
    const hasDomain = domains.has(letters) || linkedDomain(letters, clean, links) !== null;
    rated.push({
      ...clean,
      kind,
      group,
      links,
      letters,
      own: form + kindScores[kind] + (hasDomain ? domainScore : 0),
    });
  }
  return rated;
}

/** Removes the names that tracked brands have, or that overlap with an occurrence of one. */
function withoutTracked(names: readonly RatedName[], edited: EditedText, answer: ReadText): RatedName[] {
  const written = names.map(({ name }) => name);
  const hidden = trackedAmong(written, answer.brands, answer.language);
  const spans = answer.tracked.toSorted((a, b) => a.start - b.start);
  let next = 0;
  return names.filter((each) => {
    const { start, end } = edited.toOriginal(each);
    while ((spans[next]?.end ?? Infinity) <= start) next += 1;
    return !hidden.has(each.name) && (spans[next]?.start ?? Infinity) >= end;
  });
}
