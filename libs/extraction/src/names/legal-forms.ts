import type { Span } from '../text/span.ts';
import { lettersIn } from '../text/visible-text.ts';

const words = (list: string): string => list.trim().split(/\s+/).join('|');

/** Legal forms at the end of a name, in upper and lower case. */
const anyCase = words(String.raw`
  inc incorporated bpk llc l\.l\.c llp l\.l\.p ltd limited plc corp corporation
  pty pte (?:pvt\.?|private)\s(?:ltd|limited) sdn bhd tbk cic gmbh ggmbh mbh kgaa ohg sarl s\.?à\.?\s?r\.?l s\.a\.r\.l sasu eurl s\.a\.s
  s\.a s/a b\.v n\.v c\.v\.a v\.o\.f srl s\.r\.l srls s\.r\.l\.s s\.p\.a s\.l s\.l\.u s\.a\.u
  s\.?a\.?\sde\sc\.?v s\.?\sde\sr\.?l\.?\sde\sc\.?v ltda lda eirl eireli aps a/s oyj
  sp\.?\s?z\s?o\.?\s?o sp\.?\s?[jk] sp\.?\s?k\.?\s?a spol\.?\ss\.?\s?r\.?\s?o s\.?r\.?o a\.s d\.o\.o d\.d kft zrt nyrt
  a\.?ş ltd\.?\s?şti k\.k e\.v e\.k &\s?co &\s?cie &\s?company
`);
/** Short forms that are also words: only as written here. */
const exact = words('AG SA SAS AB AS ASA BV NV KG UG SpA Oy OY KK HB KB CVA VOF JSC');
/** Forms that are also parts of product names. They count only if the rest is in the domain ("iPhone SE", apple.com). */
const doubtful = words(String.raw`SE SL LP L\.P Co co company Company`);
const withoutSpace = String.raw`(?:株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사|유한회사|\((?:株|주|有)\))`;

const notInWord = String.raw`(?![\p{L}\p{N}])`;
const following = [
  new RegExp(String.raw`[ \t,(]{1,4}(?:${anyCase})${notInWord}\)?`, 'iuy'),
  new RegExp(String.raw`[ \t,(]{1,4}(?:${exact}|${doubtful})${notInWord}\)?`, 'uy'),
  new RegExp(String.raw` ?(?:${withoutSpace}|प्राइवेट लिमिटेड|लिमिटेड)`, 'uy'),
];
const maxFollowing = 3;
const preceding = new RegExp(String.raw`(?:${withoutSpace} ?|(?<![\p{L}\p{N}])(?:PT|ООО|АО|ПАО) )$`, 'u');
const maxPreceding = 12;
const abbreviation = /(?<![\p{L}\p{N}])(?:inc|ltd|co|corp|pvt|pty|ltda)$/iu;
/** A full stop ends no sentence if the text goes on so. */
const goesOn = /\.(?=[,;:)\]"”»]| {1,3}[\p{Ll}\p{Lo}(–—-])/uy;

const ending = new RegExp(String.raw`[\s,(]{1,4}(?:${anyCase})[.)]{0,2}$`, 'iu');
const exactEnding = new RegExp(String.raw`[\s,(]{1,4}(?:${exact})[.)]{0,2}$`, 'u');
const doubtfulEnding = new RegExp(String.raw`[\s,(]{1,4}(?:${doubtful})[.)]{0,2}$`, 'u');
const foreign = new RegExp(
  String.raw`^(?:${withoutSpace}\s?|(?:PT|ООО|АО|ПАО)\s)|\s?(?:${withoutSpace}|प्राइवेट लिमिटेड|लिमिटेड)$`,
  'gu',
);

const minLetters = 4;
const uncased = /^[\p{Lo}\p{M}\p{N}\p{P}\s]+$/u;
const minUncasedLetters = 2;

/** How the rest of a name may be written: with a capital, or only as in the name. */
export type ShortName = { text: string; casing: 'capital' | 'exact' };

/**
 * A name without its legal form ("AZ Coatings LLC"), null if it has none. A short rest counts only if it is in capitals
 * and in the domain ("HP Inc", hp.com).
 */
export function withoutLegalForm(name: string, domainLabel: string): ShortName | null {
  let rest = name;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest
      .replace(foreign, '')
      .replace(ending, '')
      .replace(exactEnding, '')
      .replace(doubtfulEnding, (form, at: number) => (isInDomain(rest.slice(0, at), domainLabel) ? '' : form))
      .replace(/[\s,&(–-]{1,9}$/u, '');
  }
  rest = rest.trim();
  const letters = lettersIn(rest);
  if (rest === name.trim() || letters === 0) return null;
  if (letters >= minLetters || (uncased.test(rest) && letters >= minUncasedLetters))
    return { text: rest, casing: 'capital' };
  const isShortName = letters > 1 && !/\p{Ll}/u.test(rest) && isInDomain(rest, domainLabel);
  return isShortName ? { text: rest, casing: 'exact' } : null;
}

function isInDomain(name: string, domainLabel: string): boolean {
  const letters = toLetters(name);
  return letters !== '' && toLetters(domainLabel).includes(letters);
}

/** The letters and digits of a name or of a domain's label, to compare the two. */
export function toLetters(name: string): string {
  if (!/[^\x20-\x7E]/.test(name)) return name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The span of a name in a text with the legal forms at it and their full stop, unless that ends the sentence. */
export function withLegalForms(text: string, { start, end }: Span): Span {
  const before = preceding.exec(text.slice(Math.max(0, start - maxPreceding), start))?.[0].length ?? 0;
  let at = end;
  for (let count = 0; count < maxFollowing; count += 1) {
    const next = Math.max(...following.map((form) => endOf(form, text, at)));
    if (next === at) break;
    at = endOf(goesOn, text, next);
  }
  if (at === end && abbreviation.test(text.slice(start, end))) at = endOf(goesOn, text, end);
  return { start: start - before, end: at };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
