import { createHash } from 'node:crypto';
import type { PlatformId } from '@bv/contract';
import { detectLanguage } from '@bv/extraction';
import { brandsForTopic, brandsInPrompt, distinct, editorialSites, type KnownBrand } from './catalogue.ts';
import { getPhrases, type Phrases } from './phrases.ts';
import { createChooser, type Chooser } from './random.ts';
import type { Trouble } from './simulator-state.ts';

export type PromptRequest = { platform: PlatformId; prompt: string; country: string; day: string };

export type Page = { url: string; title: string };

/** One line of an answer and the pages it cites. */
type Line = { text: string; pages: Page[] };

export type SimulatedAnswer = { lines: Line[]; retrieved: Page[]; queries: string[]; choose: Chooser };

const minBrands = 2;
const maxBrands = 6;

type Control = { brands: readonly KnownBrand[]; trouble: Trouble | null };

/** Deterministic: the same answer for the same platform, prompt, market and day, and different ones for others. */
export function composeAnswer(
  request: PromptRequest,
  { brands: controlled, trouble }: Control,
): SimulatedAnswer {
  const choose = createChooser(request.platform, request.prompt, request.country, request.day);
  const language = detectLanguage(request.prompt);
  const brands = chooseBrands(request.prompt, language, controlled, choose);
  const laidOut = layOut(brands, getPhrases(language), choose);
  const hide = (pages: readonly Page[]): Page[] => {
    if (trouble?.kind === 'no_sources') return [];
    return trouble?.kind === 'unresolved_links' ? pages.map(hidePage) : [...pages];
  };
  // The first line introduces the brands.
  const shown = trouble?.kind === 'short_answers' ? laidOut.slice(0, 2) : laidOut;
  const lines = shown.map((line) => ({ ...line, pages: hide(line.pages) }));
  const other = choose
    .shuffle(editorialSites)
    .slice(0, 4)
    .map((site) => editorialPage(site, request.prompt));
  const cited = lines.flatMap((line) => line.pages);
  return {
    lines,
    retrieved: [...cited, ...hide(other)],
    queries: [request.prompt, `${request.prompt} ${request.country} ${request.day.slice(0, 4)}`],
    choose,
  };
}

const hiddenPage = 'https://www.google.com/goto?url=CAES';

/** As AI Overviews hide a page: the parameter is encrypted. */
const hidePage = ({ url, title }: Page): Page => ({
  url: `${hiddenPage}${createHash('sha256').update(url).digest('base64url')}`,
  title,
});

export const isHidden = ({ url }: Page): boolean => url.startsWith(hiddenPage);

function chooseBrands(
  prompt: string,
  language: string,
  controlled: readonly KnownBrand[],
  choose: Chooser,
): KnownBrand[] {
  const named = brandsInPrompt(prompt, language, controlled);
  const likely = controlled.filter(() => choose.chance(70));
  const topical = brandsForTopic(prompt);
  const usual = topical.filter(() => choose.chance(controlled.length > 0 ? 35 : 80));
  const chosen = distinct([...named, ...likely, ...usual]);
  return choose
    .shuffle(chosen.length >= minBrands ? chosen : distinct([...chosen, ...topical]))
    .slice(0, maxBrands);
}

function layOut(brands: KnownBrand[], phrases: Phrases, choose: Chooser): Line[] {
  const layout = choose.pick(['prose', 'list', 'table']);
  const about = brands.map((brand) => lineAbout(brand, phrases, choose));
  const head: Line[] = [{ text: `${phrases.intro}\n\n`, pages: [] }];
  const tail: Line[] = [{ text: `\n${phrases.outro}`, pages: [] }];
  if (layout === 'prose')
    return [...head, ...about.map((line) => ({ ...line, text: `${line.text} ` })), ...tail];
  if (layout === 'list') {
    return [
      ...head,
      ...about.map((line, index) => ({ ...line, text: `${index + 1}. ${bold(line.text, brands[index])}\n` })),
      ...tail,
    ];
  }
  const [name, verdict] = phrases.header;
  head.push({ text: `| ${name} | ${verdict} |\n|---|---|\n`, pages: [] });
  const rows = about.map((line, index) => ({
    ...line,
    text: `| ${brands[index]?.name ?? ''} | ${line.text} |\n`,
  }));
  return [...head, ...rows, ...tail];
}

function bold(text: string, brand: KnownBrand | undefined): string {
  return brand === undefined ? text : text.replace(brand.name, `**${brand.name}**`);
}

function lineAbout(brand: KnownBrand, phrases: Phrases, choose: Chooser): Line {
  const tone = choose.below(10);
  const sentences = tone < 5 ? phrases.good : tone < 8 ? phrases.plain : phrases.bad;
  const pages: Page[] = [];
  if (choose.chance(55))
    pages.push({
      url: `https://www.${brand.domain}/${choose.pick(['', 'pricing', 'features'])}`,
      title: `${brand.name} - official site`,
    });
  if (choose.chance(45)) pages.push(editorialPage(choose.pick(editorialSites), brand.name));
  return { text: choose.pick(sentences).replace('{}', brand.name), pages };
}

function editorialPage(site: string, subject: string): Page {
  const slug = subject
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 60);
  return {
    url: `${site}${slug || 'review'}`,
    title: `${subject.slice(0, 80)} - ${new URL(site).hostname.replace(/^www\./, '')}`,
  };
}
