import { readFileSync } from 'node:fs';
import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import type { Exchange } from './exchange.ts';

type Document = { contentType: string; body: Buffer };
export type Documents = ReadonlyMap<string, Document>;

/** The documents are read once, at start; one that is not there is a 404. */
export function readDocuments(paths: { openapi: string; docs: string }): Documents {
  const files = [
    { path: '/openapi.json', file: paths.openapi, contentType: 'application/json; charset=utf-8' },
    { path: '/docs', file: paths.docs, contentType: 'text/html; charset=utf-8' },
  ];
  return new Map(
    files.flatMap(({ path, file, contentType }) => {
      const body = readIfThere(file);
      return body === undefined ? [] : [[path, { contentType, body }]];
    }),
  );
}

export function serveDocument(exchange: Exchange, { documents }: EdgeContext): void {
  const { request, response } = exchange;
  const document = documents.get(request.path);
  if (document === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
    throw new ApiError('not_found');
  }
  exchange.answered = true;
  response.writeHead(200, { 'content-type': document.contentType, 'content-length': document.body.length });
  response.end(document.body);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
