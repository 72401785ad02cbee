/** A text for comparison: case and accents folded, spaces collapsed. `offsets` maps its indices to the original. */
export type Folded = { text: string; offsets: number[] };

/** Characters that Unicode does not decompose into a base letter and an accent. */
const special: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ħ: 'h',
  ŧ: 't',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '`': "'",
};
const hyphen = /[-‐‒–]/;
const accented = /\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

const cache = new Map<string, string>();
/** Whether a character is a letter or digit of ASCII, by its code. Most texts consist of these. */
const plainCodes = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9]/.test(String.fromCharCode(code)));

/** The end of the letters and digits of ASCII from an index on. They are folded at once. */
function endOfPlain(text: string, index: number): number {
  let end = index;
  while (plainCodes[text.charCodeAt(end)] === true) end += 1;
  return end;
}

/**
 * Folds a text for comparison. The text must be in NFKC except for raised digits, which become digits. A hyphen inside
 * a word equals a space ("Coca-Cola", "Coca Cola").
 */
export function fold(text: string): Folded {
  const offsets: number[] = [];
  let whole = '';
  for (let index = 0; index < text.length;) {
    const plainEnd = endOfPlain(text, index);
    if (plainEnd > index) {
      whole += text.slice(index, plainEnd).toLowerCase();
      for (; index < plainEnd; index += 1) offsets.push(index);
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    let end = index + character.length;
    let folded: string;
    if (isSpace(character)) {
      while (end < text.length && isSpace(text.charAt(end))) end += 1;
      folded = text.slice(index, end).includes('\n') ? '\n' : ' ';
    } else if (hyphen.test(character)) {
      folded = joinsWords(text, index, end) ? ' ' : '-';
    } else {
      folded = foldCharacter(character);
    }
    for (let unit = 0; unit < folded.length; unit += 1) offsets.push(index);
    whole += folded;
    index = end;
  }
  offsets.push(text.length);
  return { text: whole, offsets };
}

/** A text for an exact comparison: with case and accents, but any kind of space, hyphen and apostrophe. */
export function toWrittenForm(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[’‘ʼ`]/g, "'")
    .replace(/(?<=[\p{L}\p{N}\p{M}])[-‐‒–](?=[\p{L}\p{N}\p{M}])|[ \t\r\n]+/gu, ' ');
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

function joinsWords(text: string, start: number, end: number): boolean {
  return wordCharacter.test(text.charAt(start - 1)) && wordCharacter.test(text.charAt(end));
}

function foldCharacter(character: string): string {
  const cached = cache.get(character);
  if (cached !== undefined) return cached;
  const lower = character.normalize('NFKC').toLowerCase();
  const base = lower.normalize('NFD');
  let folded = special[lower] ?? lower;
  // Only in scripts with accents: in kana a combining mark makes another letter.
  if (folded === lower && accented.test(base)) folded = base.replace(/\p{M}/gu, '');
  if (/^[\u0300-\u036F]$/.test(character)) folded = '';
  cache.set(character, special[folded] ?? folded);
  return special[folded] ?? folded;
}
