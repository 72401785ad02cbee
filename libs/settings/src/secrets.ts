import type { z } from 'zod';

/** Shorter values would also match ordinary text. */
const minLength = 6;
/** The texts by which a log line can contain a secret, longest first. */
let forms: readonly string[] = [];
/** One of them. A single expression, because every log line is searched. */
let anyForm = /(?!)/g;

/** Remembers the secrets of the environment: values of secret settings, and the credentials of URLs, also of malformed ones. */
export function rememberSecrets(
  fields: Readonly<Record<string, z.ZodType>>,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const value = env[name]?.trim() ?? '';
    return /^(?:secrets?|keys)$/.test(String(field.meta()?.['form']))
      ? splitSecret(value)
      : findCredentials(value);
  });
  const all = new Set([...forms, ...values.filter(({ length }) => length >= minLength).flatMap(toForms)]);
  forms = [...all].toSorted((a, b) => b.length - a.length);
  if (forms.length > 0) anyForm = new RegExp(forms.map((form) => RegExp.escape(form)).join('|'), 'g');
}

/** Replaces each remembered secret in a line of JSON. A number stays a number. */
export function redactSecrets(line: string): string {
  return line.replace(anyForm, (secret) => (/^\d+$/.test(secret) ? '1' : '[redacted]'));
}

/** `id:key,id:key`, `secret,secret` or `login:password`. */
const splitSecret = (value: string): string[] => [
  value,
  ...value.split(',').flatMap((part) => [part.trim(), part.replace(/^[^:]*:/, '').trim()]),
];

/** Passwords in URLs, or a token in place of the user. The end of a malformed URL is uncertain. */
function findCredentials(value: string): string[] {
  return [value, ...value.split(',')].flatMap((url) => {
    const [, rest = ''] = /\/\/(.*)/s.exec(url) ?? [];
    const isMalformed = rest !== '' && !rest.includes('@') && !URL.canParse(url);
    const userinfo = isMalformed ? rest : rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
    const password = /[?&]password=([^&]*)/.exec(rest)?.[1] ?? '';
    return [userinfo.replace(/^[^:]*:/, ''), password];
  });
}

function toForms(value: string): string[] {
  const decoded = decode(value);
  const url = Object.assign(new URL('x://user@host'), { password: decoded });
  const plain = [value, decoded, encodeURIComponent(decoded), url.password];
  const escaped = plain.map((text) => JSON.stringify(text).slice(1, -1));
  // JSON in a string of JSON, such as a body.
  return [...escaped, ...escaped.map((text) => JSON.stringify(text).slice(1, -1))];
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value).toWellFormed();
  } catch {
    return value.toWellFormed();
  }
}
