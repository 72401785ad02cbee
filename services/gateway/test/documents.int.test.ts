import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorDocUrl } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

const root = join(import.meta.dirname, '../../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Record<string, unknown>;

let gateway: TestGateway;
let origin: string;
/** A built site, a guide, a package and a built explorer. */
const built = mkdtempSync(join(tmpdir(), 'bv-docs-'));

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(built, path)), { recursive: true });
  writeFileSync(join(built, path), content);
}

beforeAll(async () => {
  for (const name of ['index', '404', 'guides/errors', 'guides/error-codes', 'guides/quick-start']) {
    write(`docs/dist/public/${name}.html`, `<title>${name}</title>`);
  }
  write('docs/dist/public/assets/app.1.js', 'start();');
  write('docs/dist/public/llms.txt', '# Index');
  write('docs/dist/operator/operations/runbooks.html', '<h1>Runbooks</h1>');
  write('docs/guides/errors.md', '# Errors');
  write('docs/downloads/bv-sdk-1.0.0.tgz', Buffer.from([31, 139, 0, 255]));
  write('docs/downloads/SHA256SUMS', 'abc  bv-sdk-1.0.0.tgz\n');
  copyFileSync(join(root, 'docs/api-catalog.json'), join(built, 'docs/api-catalog.json'));
  write('explorer/index.html', '<script src="/explore/assets/index-1.js"></script>');
  write('explorer/assets/index-1.js', 'render();');
  gateway = await startGateway({
    env: {
      OPENAPI_PATH: join(root, 'docs/openapi.json'),
      DOCS_PATH: join(built, 'docs'),
      EXPLORER_PATH: join(built, 'explorer'),
    },
  });
  origin = `http://127.0.0.1:${gateway.port}`;
});
afterAll(async () => {
  await gateway.stop();
  rmSync(built, { recursive: true });
});

describe('descriptions of the API', () => {
  test('/openapi.json has at most 380 kB', async () => {
    const text = await (await fetch(`${origin}/openapi.json`)).text();
    expect(JSON.parse(text)).toEqual(document);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(380_000);
  });

  test('/openapi-clients.json is the same without webhooks', async () => {
    const clients = (await (await fetch(`${origin}/openapi-clients.json`)).json()) as Record<string, unknown>;
    expect(document).toHaveProperty('webhooks');
    expect(Object.keys(clients)).toEqual(Object.keys(document).filter((key) => key !== 'webhooks'));
    expect({ ...clients, webhooks: document['webhooks'] }).toEqual(document);
  });
});

test('/openapi-3.0.json has the same operations and schemas, in the keywords of 3.0', async () => {
  const text = await (await fetch(`${origin}/openapi-3.0.json`)).text();
  const converted = JSON.parse(text) as { openapi: string; paths: object; components: { schemas: object } };
  expect(converted.openapi).toBe('3.0.3');
  expect(converted).not.toHaveProperty('webhooks');
  const { paths, components } = document as typeof converted;
  expect(Object.keys(converted.paths)).toEqual(Object.keys(paths));
  expect(Object.keys(converted.components.schemas)).toEqual(Object.keys(components.schemas));
  // Rows of discovered brands have a field of this name.
  const keywords = text.replaceAll('"examples":[{"result_id"', '');
  expect(keywords).not.toMatch(/"type":\[|"type":"null"|"const":|"examples":\[|"identifier":/);
  expect(converted.components.schemas).toMatchObject({
    Score: { properties: { score: { type: 'number', nullable: true } } },
    Usage: { properties: { manual_scans: { type: 'object', nullable: true, allOf: [{}] } } },
    ErrorResponse: { properties: { error: { allOf: [{ $ref: '#/components/schemas/ErrorContent' }] } } },
  });
});

test('packages of the clients are served byte for byte with their checksums', async () => {
  const tarball = await fetch(`${origin}/docs/downloads/bv-sdk-1.0.0.tgz`);
  expect([tarball.status, tarball.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(Buffer.from(await tarball.arrayBuffer())).toEqual(Buffer.from([31, 139, 0, 255]));
  const sums = await fetch(`${origin}/docs/downloads/SHA256SUMS`);
  expect(await sums.text()).toBe('abc  bv-sdk-1.0.0.tgz\n');
});

describe('addresses', () => {
  test.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/guides', '/docs/guides/quick-start'],
    ['/docs/guides/errors/', '/docs/guides/errors'],
    // A client keeps the fragment of `error.doc_url` over the redirect.
    [errorDocUrl('not_found').replace(/#.*/, ''), '/docs/guides/error-codes'],
  ])('%s redirects to %s', async (path, target) => {
    const response = await fetch(origin + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, target]);
  });

  test('an unknown one is a page for browsers, and an error for programs', async () => {
    for (const path of ['/docs/none', '/docs/assets/none.js', '/docs/..%2fapi-catalog.json', '/none']) {
      const program = await fetch(origin + path);
      expect([program.status, await program.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      const browser = await fetch(origin + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([browser.status, await browser.text()]).toEqual([404, '<title>404</title>']);
    }
    expect((await fetch(`${origin}/docs`, { method: 'POST' })).status).toBe(404);
  });

  test('pages of operators are on their listener, without a token, and not on the public one', async () => {
    const path = '/docs/operations/runbooks';
    expect((await fetch(origin + path)).status).toBe(404);
    const response = await fetch(`http://127.0.0.1:${gateway.operatorPort}${path}`);
    expect([response.status, await response.text()]).toEqual([200, '<h1>Runbooks</h1>']);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  });
});

const contentTypes = {
  '/openapi.json': 'application/json; charset=utf-8',
  '/openapi-3.0.json': 'application/json; charset=utf-8',
  '/openapi-clients.json': 'application/json; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/docs': 'text/html; charset=utf-8',
  '/docs/guides/errors': 'text/html; charset=utf-8',
  '/explore': 'text/html; charset=utf-8',
  '/docs/guides/errors.md': 'text/markdown; charset=utf-8',
};

describe.each(Object.entries(contentTypes))('%s', (path, contentType) => {
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

  test('HEAD has the headers of GET, and no body', async () => {
    const [whole, head] = [await get(), await get({}, 'HEAD')];
    expect([whole.response.status, head.response.status, head.text]).toEqual([200, 200, '']);
    expect(whole.response.headers.get('content-type')).toBe(contentType);
    for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'link']) {
      expect([name, head.response.headers.get(name)]).toEqual([name, whole.response.headers.get(name)]);
    }
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

describe('the explorer', () => {
  test('has a strict policy and no cookie, whatever view its address names', async () => {
    const { headers } = await fetch(`${origin}/explore?brand=1&window=28d`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect([headers.get('referrer-policy'), headers.get('set-cookie')]).toEqual(['no-referrer', null]);
  });

  test('has assets whose names contain their version, so they are stored for a year', async () => {
    const { headers } = await fetch(`${origin}/explore/assets/index-1.js`);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('is a 404 that says why if it is not built', async () => {
    const unbuilt = await startGateway({ env: { EXPLORER_PATH: join(built, 'none') } });
    const response = await fetch(`http://127.0.0.1:${unbuilt.port}/explore`);
    await unbuilt.stop();
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { message: 'This page is not built' } });
  });
});

test('a path that resembles one of a description is not_found', async () => {
  expect((await fetch(`${origin}/openapi-clients`)).status).toBe(404);
  expect((await fetch(`${origin}/openapi-clients.json`, { method: 'POST' })).status).toBe(404);
});

test('/.well-known/api-catalog names the API and its documents (RFC 9727)', async () => {
  const statusOf = async (href: string): Promise<[string, number, string | undefined]> => {
    const response = await fetch(new URL(href, origin));
    return [href, response.status, response.headers.get('content-type')?.split(';')[0]];
  };
  const response = await fetch(`${origin}/.well-known/api-catalog`);
  expect(response.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  const { linkset } = (await response.json()) as { linkset: Record<string, unknown>[] };
  const links = (relation: string) =>
    linkset.flatMap((context) => (context[relation] ?? []) as { href: string; type: string }[]);
  expect(links('item').map(({ href }) => href)).toEqual(['/v1']);
  // The address of the API itself needs a key.
  expect(await statusOf('/v1')).toEqual(['/v1', 401, 'application/json']);
  const documents = [...links('service-desc'), ...links('service-doc')];
  expect(documents).toHaveLength(5);
  for (const { href, type } of documents) expect(await statusOf(href)).toEqual([href, 200, type]);
});
