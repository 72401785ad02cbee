import { parse } from 'node:querystring';
import type { z } from 'zod';
import { getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';

const maxLength = 256;

/** Names the query parameters that the operation does not know, because a misspelt filter would return wrong figures. */
export function nameIgnoredParameters(exchange: Exchange): void {
  const { url } = exchange.request;
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return;
  const { shape } = getRoute(exchange).operation.query as z.ZodObject;
  const names = Object.keys(parse(url.slice(queryAt + 1), '&', '=', { maxKeys: 0 }));
  const ignored = names.filter((name) => name !== '' && !Object.hasOwn(shape, name));
  if (ignored.length > 0) exchange.headers['x-ignored-parameters'] = toHeader(ignored);
}

/** Whole names as far as they fit; of a first one that is too long, its beginning. */
function toHeader(names: readonly string[]): string {
  const text = names.map(encodeURIComponent).join(',');
  if (text.length <= maxLength) return text;
  const end = text.lastIndexOf(',', maxLength);
  return end > 0 ? text.slice(0, end) : text.slice(0, maxLength).replace(/%.?$/, '');
}
