import { isPause, names } from './names.ts';
import { anyWord, choice, condition, mark, repeat, sequence, words, type Node } from './nodes.ts';
import { isClauseStart } from './masked-text.ts';
import type { AbsenceWords } from '../absence-words/absence-words.ts';
import { contrastWords, joiningWords } from '../text/connectives.ts';
import { fold } from '../text/fold.ts';
import { toneLanguage } from '../tone/lexicon.ts';

/** The statements of a language in the notation of the word lists. */
export function readAbsenceWords(language: string, list: AbsenceWords): Node[] {
  const reader = new Reader(language, list);
  return list.statements
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => reader.read(line));
}

class Reader {
  readonly #parts: AbsenceWords['parts'];
  readonly #isUnspaced: boolean;
  readonly #names: Record<'first' | 'inside', Node>;
  readonly #begins: Node;
  readonly #ends: Node;
  readonly #continues: Node;
  /** Parts that were read. They are shared, so that a text is compared with each only once at a place. */
  readonly #known = new Map<string, Node>();
  #phrase = '';
  #at = 0;

  constructor(language: string, list: AbsenceWords) {
    const { parts, intro, and, tail, script } = list;
    this.#parts = parts;
    this.#isUnspaced = script === 'unspaced';
    const related = toneLanguage(language) ?? language;
    const joining = joiningWords(related);
    const connectives = [...joining, ...contrastWords(related)];
    const conjunctions = toWords(`${connectives.join(' ')} ${list.conjunctions ?? ''}`);
    this.#begins = condition(({ text }, at) => isClauseStart(text, at, conjunctions));
    this.#ends = this.#condition(connectives.join('|'));
    this.#continues = this.#condition(tail);
    this.#names = names({
      intro: intro === '' ? null : this.read(intro),
      and: this.#readOptional([...joining, and ?? ''].filter((word) => word !== '').join('|')),
      endings: toWords(list.endings),
      prepositions: toWords(list.prepositions),
      conjunctions,
      isUnspaced: this.#isUnspaced,
    });
  }

  read(phrase: string): Node {
    const outer = { phrase: this.#phrase, at: this.#at };
    this.#phrase = fold(phrase.replace(/\s+/g, ' ').trim()).text;
    this.#at = 0;
    const node = this.#readChoice();
    if (this.#at < this.#phrase.length) this.#fail();
    this.#phrase = outer.phrase;
    this.#at = outer.at;
    return node;
  }

  #readOptional(phrase: string): Node | null {
    return phrase === '' ? null : this.read(phrase);
  }

  #condition(phrase: string): Node {
    const node = this.#readOptional(phrase);
    return condition((text, at) => isPause(text, at) || (node !== null && node.match(text, at).length > 0));
  }

  #fail(): never {
    throw new Error(`an absence statement cannot be read at ${this.#at}: ${this.#phrase}`);
  }

  #next(): string {
    return this.#phrase.charAt(this.#at);
  }

  #readChoice(): Node {
    const nodes: Node[] = [];
    const single: string[] = [];
    for (;;) {
      const start = this.#at;
      const node = this.#readSequence();
      const written = this.#phrase.slice(start, this.#at).trim();
      // Single words are compared together.
      if (isWord(written)) single.push(...toForms(written));
      else nodes.push(node);
      if (this.#next() !== '|') break;
      this.#at += 1;
    }
    return choice(single.length === 0 ? nodes : [...nodes, words(single, this.#isUnspaced)]);
  }

  #readSequence(): Node {
    const nodes: Node[] = [];
    for (;;) {
      while (this.#next() === ' ') this.#at += 1;
      if (this.#next() === '' || /[|)]/.test(this.#next())) break;
      const node = this.#readElement();
      const times = /^(?:\?|\*(\d))/.exec(this.#phrase.slice(this.#at, this.#at + 2));
      this.#at += times?.[0].length ?? 0;
      nodes.push(times === null ? node : repeat(node, 0, Number(times[1] ?? 1)));
    }
    if (nodes.length === 0) this.#fail();
    return sequence(nodes);
  }

  #readElement(): Node {
    const isFirst = /^[\^ ]*$/.test(this.#phrase.slice(0, this.#at));
    const character = this.#next();
    this.#at += 1;
    if (character === '^') return this.#begins;
    if (character === '@') return this.#names[isFirst ? 'first' : 'inside'];
    if (character === '$') return this.#continues;
    if (character === '!') return this.#ends;
    if (character === '_') return anyWord;
    if (character === ':') return mark(':—-(…');
    if (/[,、]/.test(character)) return mark(character);
    if (character === '(') return this.#readGroup();
    if (character === '{') return this.#readPart();
    this.#at -= 1;
    const written = wordPattern.exec(this.#phrase.slice(this.#at))?.[0] ?? this.#fail();
    this.#at += written.length;
    return words(toForms(written), this.#isUnspaced);
  }

  #readGroup(): Node {
    const node = this.#readChoice();
    if (this.#next() !== ')') this.#fail();
    this.#at += 1;
    return node;
  }

  #readPart(): Node {
    const end = this.#phrase.indexOf('}', this.#at);
    // Folding has made the names of parts lower-case.
    const name = this.#phrase.slice(this.#at, end);
    this.#at = end + 1;
    const part = this.#parts[name] ?? this.#fail();
    const node = this.#known.get(name) ?? this.read(part);
    this.#known.set(name, node);
    return node;
  }
}

/** The words of a list that spaces separate. */
function toWords(list = ''): ReadonlySet<string> {
  return new Set(
    fold(list)
      .text.split(' ')
      .filter((word) => word !== ''),
  );
}

/** Letters, of which some may be missing ("details?") or one of several ("specific[oa]"), and "~". */
const wordPattern = /^(?:\[[^\][\s|()]{1,20}\]\??|[^\s|()?*@$!^,、:_{}[\]~]\??){1,60}~?/u;

function isWord(written: string): boolean {
  return wordPattern.exec(written)?.[0] === written;
}

/** The words that a word with optional and alternative letters stands for. */
function toForms(written: string): string[] {
  if (!/[[?]/.test(written)) return [written];
  let forms = [''];
  for (const [, letters = '', letter = '', optional = ''] of written.matchAll(
    /(?:\[([^[\]]{1,20})\]|(.))(\??)/gu,
  )) {
    const options = letters === '' ? [letter] : Array.from(letters);
    if (optional !== '') options.push('');
    forms = forms.flatMap((form) => options.map((option) => form + option));
  }
  if (forms.includes('')) throw new Error(`a word of an absence statement may be empty: ${written}`);
  return forms;
}
