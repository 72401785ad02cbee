import { ApiError } from '@bv/contract';
import Negotiator from 'negotiator';
import type { Document, Documents } from './documents.ts';
import { type EdgeRequest, type Exchange, sendHead } from './exchange.ts';

type Response = { status: number; headers: Record<string, string | number>; body?: Buffer };

/** Scripts and data may come only from this origin. The pages need inline styles. */
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

export async function serveDocument(
  exchange: Exchange,
  { documents }: { documents: Documents },
): Promise<void> {
  const found = await findDocument(exchange.request, documents);
  if (found === undefined) {
    const isUnbuilt = /^\/(?:docs|explore)$/.test(exchange.request.url);
    throw new ApiError('not_found', isUnbuilt ? { message: 'This page is not built' } : {});
  }
  exchange.hasResponse = true;
  if (found.status === 404) exchange.errorCode = 'not_found';
  sendHead(exchange, found.status, found.headers);
  exchange.response.end(found.body);
}

/** What a path leads to. A browser gets a page too if nothing is there. */
export async function findDocument(
  request: EdgeRequest,
  documents: Documents,
): Promise<Response | undefined> {
  const [path = ''] = request.url.split('?', 1);
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const document = documents.get(path);
  if (document !== undefined) {
    if (hasVersion(request, document)) return { status: 304, headers: cacheHeaders(document) };
    return represent(request, document, 200);
  }
  const location = findPage(path, documents);
  // A view of the explorer is in the query.
  if (location !== undefined) return redirect(location + request.url.slice(path.length));
  const missing = documents.get('/docs/404');
  const isBrowser = new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
  return isBrowser && missing !== undefined ? represent(request, missing, 404) : undefined;
}

async function represent(request: EdgeRequest, document: Document, status: number): Promise<Response> {
  const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const body = isGzipped ? await document.gzipped() : document.body;
  const headers = {
    ...cacheHeaders(document),
    'content-type': document.contentType,
    'content-length': body.length,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(document.link === undefined ? {} : { link: document.link }),
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  };
  return { status, headers, body };
}

/** Pages that stand for a folder, and the one that `error.doc_url` leads to. A redirect keeps the fragment. */
const folderPages: Record<string, string> = {
  '': '/docs',
  '/docs/guides': '/docs/guides/quick-start',
  '/docs/errors': '/docs/guides/error-codes',
  // A link of the site to a page outside it.
  '/docs/explore': '/explore',
};

/** Address of the page that a path without a document means: a page of a folder, or a page with a slash after it. */
function findPage(path: string, documents: Documents): string | undefined {
  const name = path.replace(/\/$/, '');
  const page = folderPages[name] ?? name;
  return documents.has(page) ? page : undefined;
}

const redirect = (location: string): Response => ({
  status: 308,
  headers: { location, 'content-length': 0 },
});

/** Whether the client has the current version. */
function hasVersion({ headers }: EdgeRequest, { hash }: Document): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === `"${hash}"` || tag === '*') ?? false;
}

function cacheHeaders({ hash, isAsset }: Document): Record<string, string> {
  return {
    etag: `W/"${hash}"`,
    vary: 'accept-encoding',
    // The address of an asset contains its version, so its content never changes. Others are validated by their tag.
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
