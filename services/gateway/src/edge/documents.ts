import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { toOpenApi30 } from './openapi-30.ts';

type File = { path: string; contentType: string; body: Buffer };
type Page = { path: string; file: string; contentType: string };

export type Document = {
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
const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const apiCatalogPath = '/.well-known/api-catalog';
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/octet-stream',
  '.whl': 'application/octet-stream',
};

type Sources = { openapi: string; docs: string; explorer: string; publicUrl?: string | undefined };

/** Reads the documents of partners once, at start. A missing one is a 404. */
export function readDocuments({ publicUrl, ...paths }: Sources): Documents {
  const address = publicUrl?.replace(/(?<!\/)\/+$/, '');
  const site = join(paths.docs, 'dist/public');
  const pages = [
    ...readFolder('/docs', site),
    ...readFolder('/docs/guides', join(paths.docs, 'guides')),
    // The packages of the clients and their checksums.
    ...readFolder('/docs/downloads', join(paths.docs, 'downloads')),
    ...readFolder('/explore', paths.explorer),
    { path: '/llms.txt', file: join(site, 'llms.txt'), contentType: text },
    { path: apiCatalogPath, file: join(paths.docs, 'api-catalog.json'), contentType: linkset },
  ];
  const files = readFiles(pages);
  return toDocuments([
    ...apiDescriptions(paths.openapi, address),
    ...(address === undefined ? files : files.map((file) => withAddress(file, address))),
  ]);
}

/** The same site with the pages of operators, for their listener. */
export const readOperatorDocuments = (docs: string): Documents =>
  toDocuments(readFiles(readFolder('/docs', join(docs, 'dist/operator'))));

/** The files of a folder and of those in it. The address of a page has no extension. */
function readFolder(path: string, directory: string): Page[] {
  return filesIn(directory).map((name) => ({
    path: `${path}/${name}`.replace(/(?:\/index)?\.html$/, ''),
    file: join(directory, name),
    contentType: contentTypes[extname(name)] ?? text,
  }));
}

const readFiles = (pages: readonly Page[]): File[] =>
  pages.flatMap(({ path, file, contentType }) => {
    const body = readIfExists(file);
    return body === undefined ? [] : [{ path, contentType, body }];
  });

const toDocuments = (files: readonly File[]): Documents =>
  new Map(files.map((file) => [file.path, createDocument(file)]));

const isPage = /^text\/(?:html|markdown|plain)/;

/** A browser replaces this address by that of the page. Other readers of the pages run no scripts. */
const withAddress = (file: File, address: string): File =>
  isPage.test(file.contentType) && file.body.includes('https://your-host')
    ? { ...file, body: Buffer.from(file.body.toString().replaceAll('https://your-host', address)) }
    : file;

/** The description of the API, and the same for generators that cannot read webhooks, or OpenAPI 3.1 at all. */
function apiDescriptions(file: string, address: string | undefined): File[] {
  const text = readIfExists(file)?.toString();
  if (text === undefined) return [];
  const description = JSON.parse(text) as Record<string, unknown>;
  if (address !== undefined) description['servers'] = [{ url: `${address}/v1` }];
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

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.|SUMS$/.test(name),
    );
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
