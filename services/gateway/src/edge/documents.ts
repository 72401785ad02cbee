import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ApiError } from '@bv/contract';
import Negotiator from 'negotiator';
import { sendHead } from './exchange.ts';
import { toOpenApi30 } from './openapi-30.ts';
import type { EdgeRequest, Exchange } from './exchange.ts';

type File = { path: string; contentType: string; body: Buffer };
type Page = { path: string; file: string; contentType: string };

type Document = {
  contentType: string;
  body: Buffer;
  /** Opaque part of the entity tag. It is weak, because it is the same for every content encoding. */
  hash: string;
  isAsset: boolean;
  /** Of the API catalog (RFC 9727): names itself, for clients that send HEAD. */
  link?: string;
  gzipped(): Promise<Buffer>;
};
export type Documents = ReadonlyMap<string, Document>;

const compress = promisify(gzip);
const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const json = 'application/json; charset=utf-8';
const explorerPath = '/explore';
const apiCatalogPath = '/.well-known/api-catalog';
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/** Reads the documents once, at start. A missing one is a 404. */
export function readDocuments(paths: { openapi: string; docs: string; explorer: string }): Documents {
  const directory = dirname(paths.docs);
  const pages: Page[] = [
    { path: '/docs', file: paths.docs, contentType: html },
    { path: '/llms.txt', file: join(directory, 'llms.txt'), contentType: 'text/plain; charset=utf-8' },
    { path: apiCatalogPath, file: join(directory, 'api-catalog.json'), contentType: linkset },
    ...guides(join(directory, 'guides')),
    ...downloads(join(directory, 'downloads')),
    ...assets('/docs/assets', join(directory, 'assets')),
    { path: explorerPath, file: join(paths.explorer, 'index.html'), contentType: html },
    ...assets(`${explorerPath}/assets`, join(paths.explorer, 'assets')),
    ...Object.entries(packagedScripts()).map(([name, file]) => ({
      path: `/docs/assets/${name}`,
      file,
      contentType: contentTypes['.js'] ?? '',
    })),
  ];
  const files = pages.flatMap(({ path, file, contentType }): File[] => {
    const body = readIfExists(file);
    return body === undefined ? [] : [{ path, contentType, body }];
  });
  return new Map(
    [...apiDescriptions(paths.openapi), ...files].map((file) => [file.path, createDocument(file)]),
  );
}

/** Scripts, styles and pictures of a folder. */
const assets = (path: string, directory: string): Page[] =>
  Object.entries(contentTypes).flatMap(([extension, contentType]) =>
    filesIn(directory, extension).map((name) => ({
      path: `${path}/${name}`,
      file: join(directory, name),
      contentType,
    })),
  );

/** The packages of the clients and their checksums. A build that has none serves none. */
const downloads = (directory: string): Page[] =>
  filesIn(directory, '').map((name) => ({
    path: `/docs/downloads/${name}`,
    file: join(directory, name),
    contentType: /\.(tgz|whl)$/.test(name) ? 'application/octet-stream' : 'text/plain; charset=utf-8',
  }));

/** Each guide as a web page, and as Markdown for language models. */
function guides(directory: string): Page[] {
  const page = (name: string, path: string, contentType: string): Page => ({
    path: `/docs/guides/${path}`,
    file: join(directory, name),
    contentType,
  });
  return [
    ...filesIn(directory, '.html').map((name) => page(name, name.slice(0, -'.html'.length), html)),
    ...filesIn(directory, '.md').map((name) => page(name, name, markdown)),
  ];
}

/** The description of the API, and the same for generators that cannot read webhooks, or OpenAPI 3.1 at all. */
function apiDescriptions(file: string): File[] {
  const text = readIfExists(file)?.toString();
  if (text === undefined) return [];
  const description = JSON.parse(text) as Record<string, unknown>;
  const { webhooks: _, ...withoutWebhooks } = description;
  const toFile = (path: string, content: object): File => ({
    path,
    contentType: json,
    // Without whitespace, which would double the size.
    body: Buffer.from(JSON.stringify(content)),
  });
  return [
    toFile('/openapi.json', description),
    toFile('/openapi-clients.json', withoutWebhooks),
    toFile('/openapi-3.0.json', toOpenApi30(withoutWebhooks)),
  ];
}

/** Scripts of the pages, served from their packages so that a page loads nothing from other hosts. */
function packagedScripts(): Record<string, string> {
  const require = createRequire(import.meta.url);
  return {
    'scalar.js': join(dirname(require.resolve('@scalar/api-reference/style.css')), 'browser/standalone.js'),
    'minisearch.js': join(dirname(require.resolve('minisearch')), '../umd/index.js'),
  };
}

function createDocument({ path, contentType, body }: File): Document {
  let gzipped: Promise<Buffer> | undefined;
  return {
    contentType,
    body,
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 27),
    isAsset: /^\/(docs|explore)\/assets\//.test(path),
    ...(path === apiCatalogPath ? { link: `<${apiCatalogPath}>; rel="api-catalog"` } : {}),
    gzipped: () => (gzipped ??= compress(body)),
  };
}

function filesIn(directory: string, extension: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(extension));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The description of the operator API, next to that of the public one. */
export const readOperatorDocument = (openapi: string): Buffer | undefined =>
  readIfExists(join(dirname(openapi), 'openapi-operator.json'));

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Scripts and data may come only from this origin. The reference page and the explorer need inline styles. */
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
  const { request, response } = exchange;
  const [path = ''] = request.url.split('?', 1);
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new ApiError('not_found');
  const document = documents.get(path);
  if (document === undefined) {
    if (path === explorerPath) throw new ApiError('not_found', { message: 'The explorer is not built' });
    const page = findPage(path, documents);
    // A view of the explorer is in the query.
    redirect(exchange, page && page + request.url.slice(path.length));
    return;
  }
  exchange.hasResponse = true;
  if (hasVersion(request, document)) {
    sendHead(exchange, 304, cacheHeaders(document));
    response.end();
    return;
  }
  const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
  const body = isGzipped ? await document.gzipped() : document.body;
  sendHead(exchange, 200, { ...buildHeaders(document, isGzipped), 'content-length': body.length });
  response.end(body);
}

/** Pages that stand for a folder, and the one that `error.doc_url` leads to. A redirect keeps the fragment. */
const folderPages: Record<string, string> = {
  '': '/docs',
  '/docs/guides': '/docs/guides/quick-start',
  '/docs/errors': '/docs/guides/error-codes',
};

/** Address of the page that a path without a document means: a page of a folder, or a page with a slash after it. */
function findPage(path: string, documents: Documents): string | undefined {
  const name = path.replace(/\/$/, '');
  const page = folderPages[name] ?? name;
  return documents.has(page) ? page : undefined;
}

function redirect(exchange: Exchange, location: string | undefined): void {
  if (location === undefined) throw new ApiError('not_found');
  exchange.hasResponse = true;
  sendHead(exchange, 308, { location, 'content-length': 0 });
  exchange.response.end();
}

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

function buildHeaders(document: Document, isGzipped: boolean): Record<string, string> {
  return {
    ...cacheHeaders(document),
    'content-type': document.contentType,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(document.link === undefined ? {} : { link: document.link }),
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  };
}
