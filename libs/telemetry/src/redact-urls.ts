const redacted = '[redacted]';

/**
 * Up to white space, the end of a JSON string, or an escaped line break. A quote may be part of a password, but not
 * one that closes what stands around the URL.
 */
const token = /(?:[^\s"'\\]|\\[\\/u]|(?:\\"|')(?![\s"'\\,:;)\]}]))*/y;

/** A host with or without a port in front of a path, query or fragment. */
const ordinaryAuthority = /^(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Removes user name and password from every URL of a log line: everything from `//` to the last `@`, since a password
 * that is not percent-encoded may hold any delimiter. A user name alone can be a token.
 */
export function redactUrls(line: string): string {
  if (!line.includes('@')) return line;
  let result = '';
  let from = 0;
  for (let at = line.indexOf('//'); at >= 0; at = line.indexOf('//', Math.max(from, at + 2))) {
    const start = at + 2;
    // Stack traces name files of packages by their version.
    if (line.startsWith('file:', at - 5)) continue;
    token.lastIndex = start;
    token.test(line);
    const end = Math.max(start, token.lastIndex);
    const text = line.slice(start, end);
    const lastAt = text.lastIndexOf('@');
    if (lastAt < 0 || (isHttp(line, at) && isOrdinary(text))) {
      result += line.slice(from, end);
    } else {
      result += line.slice(from, start) + redacted + text.slice(lastAt);
    }
    from = end;
  }
  return result + line.slice(from);
}

const isHttp = (line: string, at: number): boolean => /https?:$/i.test(line.slice(Math.max(0, at - 6), at));

/** Whether each `@` of an HTTP URL begins a segment of the path or is in the value of a query parameter. */
function isOrdinary(text: string): boolean {
  if (text.includes('//')) return false;
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? [];
  return (
    ordinaryAuthority.test(authority) &&
    !/[^/]@/.test(path) &&
    query.split(/[?&#]/).every((part) => !part.includes('@') || /^[\w.-]+=/.test(part))
  );
}
