import { ProtocolError } from '@modelcontextprotocol/server';
import type { Documents } from '../edge/documents.ts';
import { jsonRpcCodes } from './json-rpc.ts';

const folder = '/docs/guides/';
const scheme = 'brand-visibility://guides/';
const mimeType = 'text/markdown';

/** The guides of the installation, the methodology among them. */
export function listGuides(documents: Documents) {
  return [...documents].flatMap(([path, { body }]) => {
    if (!path.startsWith(folder) || !path.endsWith('.md')) return [];
    const name = path.slice(folder.length, -'.md'.length);
    const title = /^# (.+)$/m.exec(body.toString())?.[1] ?? name;
    return [{ uri: scheme + name, name, title, mimeType }];
  });
}

export function readGuide(documents: Documents, uri: string) {
  const name = uri.startsWith(scheme) ? uri.slice(scheme.length) : '';
  const guide = documents.get(`${folder}${name}.md`);
  if (guide === undefined) throw new ProtocolError(jsonRpcCodes.invalidParams, 'Unknown resource');
  return { contents: [{ uri, mimeType, text: guide.body.toString() }] };
}
