import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

const root = join(import.meta.dirname, '../../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Record<string, unknown>;

let gateway: TestGateway;
let origin: string;

beforeAll(async () => {
  gateway = await startGateway({
    env: { OPENAPI_PATH: join(root, 'docs/openapi.json'), DOCS_PATH: join(root, 'docs/api.html') },
  });
  origin = `http://127.0.0.1:${gateway.port}`;
});
afterAll(() => gateway.stop());

describe('descriptions of the API', () => {
  test('/openapi.json has at most 300 kB', async () => {
    const text = await (await fetch(`${origin}/openapi.json`)).text();
    expect(JSON.parse(text)).toEqual(document);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300_000);
  });

  test('/openapi-clients.json is the same without webhooks', async () => {
    const clients = (await (await fetch(`${origin}/openapi-clients.json`)).json()) as Record<string, unknown>;
    expect(document).toHaveProperty('webhooks');
    expect(Object.keys(clients)).toEqual(Object.keys(document).filter((key) => key !== 'webhooks'));
    expect({ ...clients, webhooks: document['webhooks'] }).toEqual(document);
  });
});

describe.each(['/openapi.json', '/openapi-clients.json', '/docs'])('%s', (path) => {
  const get = async (headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(origin + path, { method, headers });
    return { response, text: await response.text() };
  };

  test('needs no key, and is stored by clients that validate it', async () => {
    const { response } = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a client with the current version gets 304 without a body', async () => {
    const tag = (await get()).response.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    for (const sent of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const { response, text } = await get({ 'if-none-match': sent });
      expect([sent, response.status, text]).toEqual([sent, 304, '']);
      expect(response.headers.get('etag')).toBe(tag);
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
    expect((await get({ 'if-none-match': tag }, 'HEAD')).response.status).toBe(304);
  });

  test('a client with another version gets the document', async () => {
    const { response, text } = await get({ 'if-none-match': 'W/"other"' });
    expect(response.status).toBe(200);
    expect(text).not.toBe('');
  });

  test('has one tag for every encoding', async () => {
    const plain = await gateway.call({ path });
    const gzipped = await gateway.call({ path, headers: { 'accept-encoding': 'gzip' } });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gzipped.headers.etag).toBe(plain.headers.etag);
  });
});

test('a path that resembles one of a description is not_found', async () => {
  expect((await fetch(`${origin}/openapi-clients`)).status).toBe(404);
  expect((await fetch(`${origin}/openapi-clients.json`, { method: 'POST' })).status).toBe(404);
});
