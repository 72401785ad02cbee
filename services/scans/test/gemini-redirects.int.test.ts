import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createGeminiAdapter } from '../src/platforms/gemini.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';

type Asked = { method: string; path: string; key: string | undefined };
type Chunk = { uri: string; title: string };

let http: PlatformHttp;
let platform: Server;
let stranger: Server;
let base: string;
let elsewhere: string;
let asked: Asked[] = [];
let visitors = 0;
let chunks: Chunk[] = [];

const redirectTo = (target: string) =>
  `${base}/grounding-api-redirect/${Buffer.from(target).toString('base64url')}`;
/** A title that names no host, so that the address has to be looked up. */
const untitled = (uri: string): Chunk => ({ uri, title: 'A page about kettles' });

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  asked.push({ method: request.method ?? '', path, key: request.headers['x-goog-api-key'] as string });
  if (request.method === 'HEAD') {
    const target = Buffer.from(path.split('/').at(-1) ?? '', 'base64url').toString();
    if (target !== 'never') response.writeHead(302, { location: target }).end();
    return;
  }
  const groundingMetadata = {
    groundingChunks: chunks.map((web) => ({ web })),
    groundingSupports: [{ groundingChunkIndices: chunks.map((_, index) => index) }],
  };
  const candidates = [
    { content: { parts: [{ text: 'An answer.' }] }, finishReason: 'STOP', groundingMetadata },
  ];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ candidates }));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  http = createPlatformHttp({ timeoutMs: 60_000, maxResponseBytes: 1_000_000 });
  platform = createServer(answer);
  stranger = createServer((_request, response) => {
    visitors += 1;
    response.end();
  });
  [base, elsewhere] = await Promise.all([listen(platform), listen(stranger)]);
});

afterAll(async () => {
  await http.close();
  for (const server of [platform, stranger]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  asked = [];
  visitors = 0;
});

async function ask() {
  const adapter = createGeminiAdapter({ baseUrl: base, apiKey: 'secret', model: 'model' }, http);
  const question = { prompt: 'Which kettle?', country: 'DE', runDate: '2026-11-21' };
  return adapter.send(question, { signal: new AbortController().signal });
}

const heads = () => asked.filter(({ method }) => method === 'HEAD');

test('an address is looked up once, without the key, and nobody goes where it leads', async () => {
  const uri = redirectTo(`https://shop.acme.com/kettles?utm_source=gemini`);
  chunks = [untitled(uri), untitled(uri), untitled(redirectTo(`${elsewhere}/inside`))];
  const { sources } = await ask();
  expect(sources.map(({ url }) => url)).toEqual(['https://shop.acme.com/kettles']);
  expect(heads()).toHaveLength(2);
  expect(heads().map(({ key }) => key)).toEqual([undefined, undefined]);
  expect(visitors).toBe(0);
});

test('only the platform itself is asked where an address leads, and not more often than twenty times', async () => {
  const many = Array.from({ length: 30 }, (_, index) => untitled(redirectTo(`https://acme.com/${index}`)));
  const foreign = ['/grounding-api-redirect/x', '@127.0.0.1/grounding-api-redirect/x'];
  chunks = [...foreign.map((path) => untitled(elsewhere + path)), ...many];
  const { sources } = await ask();
  expect(heads()).toHaveLength(20);
  expect(sources).toHaveLength(20);
  expect(visitors).toBe(0);
});

test('an address that nobody resolves in time is left out, the answer stays', async () => {
  chunks = [untitled(redirectTo('never')), { uri: redirectTo('never'), title: 'globex.com' }];
  const answered = await ask();
  expect(answered).toMatchObject({ outcome: 'answered', answerText: 'An answer.' });
  expect(answered.sources.map(({ url }) => url)).toEqual(['https://globex.com/']);
});
