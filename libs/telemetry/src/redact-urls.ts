const redacted = '[redacted]';

/** A host with or without a port, and punctuation that ends a phrase. Bounded, so that matching is linear. */
const ordinaryAuthority = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?[.,:;)\]}>]{0,20}$/i;

/** An address that is not the end of a URL. */
const email = /^[(<[]*[\w.+-]+@[\w-]+(?:\.[\w-]+)+[.,:;!?)\]}>]*$/;

/**
 * Removes user name and password from every URL of a log line: everything from `//` to the last `@`, since a password
 * that is not percent-encoded may hold any delimiter. A user name alone can be a token.
 */
export function redactUrls(line: string): string {
  if (!line.includes('@')) return line;
  const search = createSearch(line);
  let result = '';
  let from = 0;
  for (let at = line.indexOf('//'); at >= 0; at = line.indexOf('//', Math.max(from, at + 2))) {
    // Stack traces name files of packages by their version.
    if (isFile(line, at)) continue;
    const start = at + 2;
    const end = Math.max(start, wordEnd(line, start));
    const lastAt = credentialsEnd(line, { at, start, end }, search);
    if (lastAt >= 0) result += line.slice(from, start) + redacted;
    else result += line.slice(from, end);
    from = lastAt >= 0 ? lastAt : end;
  }
  return result + line.slice(from);
}

type Word = { at: number; start: number; end: number };

/** Where the `@` is that ends the credentials of the URL; -1 where it has none. */
function credentialsEnd(line: string, { at, start, end }: Word, search: Search): number {
  const text = line.slice(start, end);
  const scheme = /(?:^|[^a-z\d+.-])([a-z][a-z\d+.-]*):$/i.exec(line.slice(Math.max(0, at - 20), at))?.[1];
  const isHttp = /^https?$/i.test(scheme ?? '');
  let lastAt = text.lastIndexOf('@');
  if (lastAt >= 0) {
    if (isHttp && isOrdinary(text)) return -1;
    lastAt += start;
  }
  if (scheme === undefined) return lastAt;
  const [authority = ''] = /^[^/?#]*/.exec(text) ?? [];
  // White space and quotes can be part of a password, so that it goes on after this word.
  if (lastAt >= 0) return search.lastOfUrl(end, lastAt, { quotes: !isWellFormed(text) });
  const isMalformed = text !== '' && !ordinaryAuthority.test(authority);
  if (isMalformed && (!isHttp || authority.includes(':'))) return search.lastOfUrl(end, -1, { quotes: true });
  return search.ofNextWord(end);
}

/** Whether each `@` of an HTTP URL begins a segment of the path or is in the value of a query parameter. */
function isOrdinary(text: string): boolean {
  if (text.includes('//')) return false;
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? [];
  return (
    ordinaryAuthority.test(authority) &&
    !/[^/]@/.test(path) &&
    // Without a path, what looks like a query may be part of a password.
    (path !== '' || !query.includes('@')) &&
    query.split(/[?&#]/).every((part) => !part.includes('@') || /^[\w.-]+=/.test(part))
  );
}

/** Whether the user information has no character that must be encoded, and a host follows. */
function isWellFormed(text: string): boolean {
  const [, userinfo = '', authority = ''] = /^([^@]*)@([^/?#]*)/.exec(text) ?? [];
  return /^[\w.~!$&()*+,;=:%-]*$/.test(userinfo) && ordinaryAuthority.test(authority);
}

type Search = {
  /**
   * The last `@` that can belong to a URL whose first word ends at `end`; `found`, that of the first word, where there is
   * none. `quotes`: whether the URL can have any.
   */
  lastOfUrl(end: number, found: number, options: { quotes: boolean }): number;
  /** The last `@` of the word that follows on the same line, or -1. */
  ofNextWord(end: number): number;
};

/** Stores its last position, so that a long line of many URLs takes linear time. */
function createSearch(line: string): Search {
  let nextAt = -1;
  let stringEnd = -1;
  const findAt = (from: number): number => {
    if (nextAt < from) nextAt = line.indexOf('@', from);
    if (nextAt < 0) nextAt = Infinity;
    return nextAt;
  };
  const findStringEnd = (from: number): number => {
    if (stringEnd < from) stringEnd = endOfString(line, from);
    return stringEnd;
  };
  return {
    lastOfUrl: (firstEnd, found, { quotes }) => {
      let end = firstEnd;
      let last = found;
      for (let next = findAt(end); next < findStringEnd(firstEnd); next = findAt(wordEnd(line, next))) {
        const word = wordAround(line, next, end);
        const between = last < 0 ? '' : line.slice(end, next);
        if (between.includes('\\n') || (!quotes && /["'\\]/.test(between))) break;
        if (last >= 0 && email.test(word.text) && word.start !== skipBlanks(line, end)) break;
        last = word.lastAt;
        end = word.end;
      }
      return last;
    },
    ofNextWord: (end) => {
      const start = skipBlanks(line, end);
      if (start === end) return -1;
      const next = findAt(start);
      return next < wordEnd(line, start) ? wordAround(line, next, start).lastAt : -1;
    },
  };
}

type Around = { text: string; start: number; end: number; lastAt: number };

function wordAround(line: string, at: number, min: number): Around {
  let start = at;
  while (start > min && !/[\s"'\\]/.test(line.charAt(start - 1))) start -= 1;
  const end = wordEnd(line, at);
  return { text: line.slice(start, end), start, end, lastAt: line.lastIndexOf('@', end - 1) };
}

const isFile = (line: string, at: number): boolean =>
  line.startsWith('file:///', at - 5) && !/[\w+.-]/.test(line.charAt(at - 6));

/** Of blanks and tabs. */
function skipBlanks(line: string, from: number): number {
  let at = from;
  for (; ; at += 1) {
    if (line.startsWith('\\t', at)) at += 1;
    else if (line[at] !== ' ' && line[at] !== '\t') return at;
  }
}

/**
 * The next white space, end of a JSON string or escaped line break. A quote may be part of a password, but not one that
 * closes what stands around the URL. A loop, since a regular expression overflows its stack on long words.
 */
function wordEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const char = line.charAt(at);
    const length = char === '\\' ? 2 : 1;
    if (char === '"' || isSpace(char)) return at;
    const next = line.charAt(at + 1);
    if (char === '\\' && !'"\\/u'.includes(next)) return at;
    if ((char === "'" || (char === '\\' && next === '"')) && closes(line, at + length)) return at;
    at += length;
  }
  return line.length;
}

const closes = (line: string, at: number): boolean =>
  at < line.length && /[\s"'\\,:;)\]}]/.test(line.charAt(at));
const isSpace = (char: string): boolean => char <= ' ' || (char > '~' && /\s/.test(char));

/** The quote that is not escaped. */
function endOfString(line: string, from: number): number {
  let at = from;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  return at;
}
