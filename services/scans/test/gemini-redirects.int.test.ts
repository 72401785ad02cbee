import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createGeminiAdapter } from '../src/platforms/gemini.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';

type RecordedRequest = { method: string; path: string; key: string | undefined };
type Chunk = { uri: string; title: string };

let http: PlatformHttp;
let platform: Server;
let otherServer: Server;
let base: string;
let otherUrl: string;
let requests: RecordedRequest[] = [];
let otherRequests = 0;
let chunks: Chunk[] = [];

const createRedirect = (target: string) =>
  `${base}/grounding-api-redirect/${Buffer.from(target).toString('base64url')}`;
/** A title that names no host, so that the redirect must be resolved. */
const untitled = (uri: string): Chunk => ({ uri, title: 'A page about kettles' });

function respond(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  requests.push({ method: request.method ?? '', path, key: request.headers['x-goog-api-key'] as string });
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
  platform = createServer(respond);
  otherServer = createServer((_request, response) => {
    otherRequests += 1;
    response.end();
  });
  [base, otherUrl] = await Promise.all([listen(platform), listen(otherServer)]);
});

afterAll(async () => {
  await http.close();
  for (const server of [platform, otherServer]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  requests = [];
  otherRequests = 0;
});

async function send() {
  const adapter = createGeminiAdapter({ baseUrl: base, apiKey: 'secret', model: 'model' }, http);
  const request = { prompt: 'Which kettle?', country: 'DE', runDate: '2026-11-21' };
  return adapter.send(request, { signal: new AbortController().signal });
}

const headRequests = () => requests.filter(({ method }) => method === 'HEAD');

test('a redirect is resolved once, without the key, and is not followed', async () => {
  const uri = createRedirect(`https://shop.acme.com/kettles?utm_source=gemini`);
  chunks = [untitled(uri), untitled(uri), untitled(createRedirect(`${otherUrl}/inside`))];
  const { sources } = await send();
  expect(sources.map(({ url }) => url)).toEqual(['https://shop.acme.com/kettles']);
  expect(headRequests()).toHaveLength(2);
  expect(headRequests().map(({ key }) => key)).toEqual([undefined, undefined]);
  expect(otherRequests).toBe(0);
});

test('only redirects of the platform itself are resolved, and at most twenty', async () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    untitled(createRedirect(`https://acme.com/${index}`)),
  );
  const foreign = ['/grounding-api-redirect/x', '@127.0.0.1/grounding-api-redirect/x'];
  chunks = [...foreign.map((path) => untitled(otherUrl + path)), ...many];
  const { sources } = await send();
  expect(headRequests()).toHaveLength(20);
  expect(sources).toHaveLength(20);
  expect(otherRequests).toBe(0);
});

test('a redirect that is not resolved in time is omitted, the answer stays', async () => {
  chunks = [untitled(createRedirect('never')), { uri: createRedirect('never'), title: 'globex.com' }];
  const answer = await send();
  expect(answer).toMatchObject({ outcome: 'answered', answerText: 'An answer.' });
  expect(answer.sources.map(({ url }) => url)).toEqual(['https://globex.com/']);
});
