import { fold } from '../text/fold.ts';
import { contrastWords, joiningWords } from '../text/grammar.ts';
import { fail, type Line } from '../text/word-lists.ts';
import { toneLanguage } from '../tone/lexicon.ts';
import { isClauseStart } from './masked-text.ts';
import { isPause, names } from './names.ts';
import { anyWord, choice, condition, mark, repeat, sequence, words, type Node } from './nodes.ts';
import type { AbsenceWords } from './words.ts';

/** The statements of a language in the notation of the word lists. */
export function readStatements(language: string, list: AbsenceWords): Node[] {
  const reader = new Reader(language, list);
  return list.sections.statements.map((line) => reader.read(line));
}

class Reader {
  readonly #parts: ReadonlyMap<string, Line>;
  readonly #isUnspaced: boolean;
  readonly #names: Record<'first' | 'inside', Node>;
  readonly #begins: Node;
  readonly #ends: Node;
  readonly #continues: Node;
  /** Parts that were read. They are shared, so that a text is compared with each only once at a place. */
  readonly #known = new Map<string, Node>();
  #phrase = '';
  #place = '';
  #at = 0;

  constructor(language: string, { sections: list, options }: AbsenceWords) {
    this.#parts = new Map(list.parts.map(splitPart));
    this.#isUnspaced = options.has('no spaces');
    const related = toneLanguage(language) ?? language;
    const joining = toLines(joiningWords(related));
    const connectives = [...joining, ...toLines(contrastWords(related))];
    const conjunctions = new Set(toWords(join([...connectives, ...list.conjunctions])));
    this.#begins = condition(({ text }, at) => isClauseStart(text, at, conjunctions));
    this.#ends = this.#condition(connectives, '|');
    this.#continues = this.#condition(list.tail);
    this.#names = names({
      intro: this.#readOptional(list.intro),
      and: this.#readOptional([...joining, ...list.and], '|'),
      endings: new Set(toWords(join(list.endings))),
      prepositions: new Set(toWords(join(list.prepositions))),
      conjunctions,
      isUnspaced: this.#isUnspaced,
    });
  }

  read({ text, place }: Line): Node {
    const outer = { phrase: this.#phrase, place: this.#place, at: this.#at };
    this.#phrase = fold(text).text;
    this.#place = place;
    this.#at = 0;
    const node = this.#readChoice();
    if (this.#at < this.#phrase.length) this.#fail();
    this.#phrase = outer.phrase;
    this.#place = outer.place;
    this.#at = outer.at;
    return node;
  }

  /** The phrase that lines hold together, null if they hold none. */
  #readOptional(lines: readonly Line[], separator = ' '): Node | null {
    const [first] = lines;
    return first === undefined ? null : this.read({ ...first, text: join(lines, separator) });
  }

  #condition(lines: readonly Line[], separator = ' '): Node {
    const node = this.#readOptional(lines, separator);
    return condition((text, at) => isPause(text, at) || (node !== null && node.match(text, at).length > 0));
  }

  #fail(): never {
    return fail({ text: this.#phrase, place: this.#place }, `unreadable at character ${this.#at + 1}`);
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
      if (isWord(written)) single.push(...this.#readForms(written));
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
    return words(this.#readForms(written), this.#isUnspaced);
  }

  #readForms(written: string): string[] {
    const forms = toForms(written);
    return forms.includes('') ? this.#fail() : forms;
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
    const part = this.#parts.get(name) ?? this.#fail();
    const node = this.#known.get(name) ?? this.read(part);
    this.#known.set(name, node);
    return node;
  }
}

const toLines = (connectives: readonly string[]): Line[] =>
  connectives.map((text) => ({ text, place: 'connectives' }));

function join(lines: readonly Line[], separator = ' '): string {
  return lines.map(({ text }) => text).join(separator);
}

/** The words of a list that spaces separate. */
function toWords(list: string): string[] {
  return fold(list)
    .text.split(' ')
    .filter((word) => word !== '');
}

/** The name and the phrase of a part. */
function splitPart(line: Line): [name: string, phrase: Line] {
  const [, name = fail(line, 'not a part'), text = ''] = /^(\w+): (.+)$/.exec(line.text) ?? [];
  return [name, { ...line, text }];
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
  return forms;
}
