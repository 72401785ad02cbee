import { ApiError } from '@bv/contract';
import Negotiator from 'negotiator';
import type { EdgeContext } from '../context.ts';
import type { Document } from './documents.ts';
import { sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Scripts and data come from here alone; the reference page styles its elements in place. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function serveDocument(exchange: Exchange, { documents }: EdgeContext): Promise<void> {
  const { request, response } = exchange;
  const [path = ''] = request.url.split('?', 1);
  const document = documents.get(path);
  if (document === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
    throw new ApiError('not_found');
  }
  const zipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const body = zipped ? await document.zipped() : document.body;
  exchange.answered = true;
  sendHead(exchange, 200, { ...headersOf(document, zipped), 'content-length': body.length });
  response.end(body);
}

function headersOf({ contentType, isAsset }: Document, zipped: boolean): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    // An asset is asked for with its version, so that another content has another address.
    ...(isAsset ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  };
}
