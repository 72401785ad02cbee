import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type Pattern = { where: string; source: string; flags: string };

/** A regular expression literal. What precedes it distinguishes it from a division. */
const literal =
  /(?:[(,=:[!&|?{};\n]|return)\s*\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s.,;)\]}:])/g;

/** The command line reads only input of its own user, so a slow pattern harms only that user. */
const excluded = ['clients/operator-cli/**', '**/*.test.ts'];

/** Every regular expression literal in the sources of the product. Matches that do not compile are skipped. */
export function listSourcePatterns(): Pattern[] {
  return globSync('{clients,libs,services}/*/src/**/*.ts', { cwd: root, exclude: excluded }).flatMap(
    readPatterns,
  );
}

function readPatterns(file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(literal)].flatMap(([, source = '', flags = '']) => {
    try {
      new RegExp(source, flags);
      return [{ where: file, source, flags }];
    } catch {
      return [];
    }
  });
}

const classes: Record<string, string> = {
  d: '0',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  b: 'a',
  n: '\n',
  t: '\t',
  r: '\r',
};

/** Strings that cause backtracking: repetitions of what the pattern accepts, followed by what it rejects. */
export function attackStrings({ source }: Pattern, length: number): string[] {
  const plain = source
    .replaceAll(/\\([a-zA-Z])/g, (_, letter: string) => classes[letter] ?? '')
    .replaceAll('\\', '');
  const letters = new Set([...Array.from(plain), 'a', '0', ' ', '.', '-', '/', ':', '"', '\t']);
  const units = [...letters];
  // Words of the pattern itself, because a prefix must match before a repetition is reached.
  const words = source.match(/[\w/:"<. -]{2,}/g) ?? [];
  const ends = ['\u0000', '!', '\n'];
  const strings: string[] = [];
  for (const unit of [...units, ...words, 'a.', 'a-', '//a:']) {
    const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    for (const end of ends) strings.push(run + end);
    for (const word of words.slice(0, 4)) strings.push(word + run + ends[0]);
  }
  return strings;
}
