import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocuments } from './documents.ts';

test('descriptions and pages have the public address; a script, which looks for the placeholder, keeps it', () => {
  const docs = mkdtempSync(join(tmpdir(), 'bv-docs-'));
  try {
    const openapi = join(docs, 'openapi.json');
    writeFileSync(openapi, JSON.stringify({ info: { license: { name: 'MIT' } }, servers: [], webhooks: {} }));
    mkdirSync(join(docs, 'guides'));
    for (const name of ['a.md', 'a.js']) writeFileSync(join(docs, 'guides', name), 'https://your-host/v1');
    const publicUrl = 'https://api.acme.test/';
    const read = readDocuments({ openapi, docs, explorer: join(docs, 'none'), publicUrl });
    const body = (path: string): string => read.get(path)?.body.toString() ?? '';
    for (const path of ['/openapi.json', '/openapi-clients.json', '/openapi-3.0.json'])
      expect(JSON.parse(body(path))).toMatchObject({ servers: [{ url: 'https://api.acme.test/v1' }] });
    expect(body('/docs/guides/a.md')).toBe('https://api.acme.test/v1');
    expect(body('/docs/guides/a.js')).toBe('https://your-host/v1');
  } finally {
    rmSync(docs, { recursive: true });
  }
});
