import { ApiError } from '@bv/contract';
import Negotiator from 'negotiator';
import type { EdgeContext } from '../context.ts';
import type { Document } from './documents.ts';
import { sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Scripts and data may come only from this origin. The reference page needs inline styles. */
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
  const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const body = isGzipped ? await document.gzipped() : document.body;
  exchange.hasResponse = true;
  sendHead(exchange, 200, { ...buildHeaders(document, isGzipped), 'content-length': body.length });
  response.end(body);
}

function buildHeaders({ contentType, isAsset }: Document, isGzipped: boolean): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    // The address of an asset contains its version, so its content never changes.
    ...(isAsset ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  };
}
