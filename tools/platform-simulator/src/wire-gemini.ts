import { z } from 'zod';
import { composeAnswer, isHidden, type Page, type SimulatedAnswer } from './answer.ts';
import {
  parseMarketInstruction,
  getHost,
  countCodePoints,
  missingText,
  ok,
  parseRequest,
  type Wire,
  type WireCall,
} from './wire.ts';

const Parts = z.object({ parts: z.array(z.object({ text: z.string() })).min(1) });
const Request = z.object({ contents: z.array(Parts).min(1), systemInstruction: Parts.optional() });

const statuses: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
};

export const redirectPath = '/grounding-api-redirect/';

/** Gemini generateContent with Google Search grounding. */
export const geminiWire: Wire = {
  platform: 'gemini',
  method: 'POST',
  path: /^\/gemini\/v1beta\/models\/[^/:]+:generateContent$/,
  readKey: ({ headers }) => headers['x-goog-api-key']?.toString(),
  respond: generate,
  refuse: (status, retryAfterSeconds) => {
    const [name, message] = statuses[status] ?? ['INTERNAL', 'An internal error has occurred.'];
    // The delay is in the body, not in a header.
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` };
    return {
      status,
      body: {
        error: {
          code: status,
          message,
          status: name,
          details: retryAfterSeconds === undefined ? [] : [info],
        },
      },
    };
  },
};

function generate(call: WireCall) {
  const request = parseRequest(Request, call.body);
  const prompt = request?.contents[0]?.parts[0]?.text;
  if (!request || !prompt) return geminiWire.refuse(400, undefined);
  if (call.trouble?.kind === 'error-in-200') {
    return ok({
      error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE', details: [] },
    });
  }
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(call.path)?.[1] ?? '');
  const country = parseMarketInstruction(request.systemInstruction?.parts[0]?.text);
  const answer = composeAnswer({ platform: 'gemini', prompt, country, day: call.day }, call);
  const missing = missingText(call.trouble);
  const withoutText = { content: {}, finishReason: missing === 'refusal' ? 'SAFETY' : 'STOP', index: 0 };
  const candidate = missing === null ? toCandidate(answer, call.origin) : withoutText;
  return ok({
    modelVersion: `${model}-001`,
    responseId: 'simulated',
    candidates: [candidate],
    usageMetadata: {
      promptTokenCount: 20,
      candidatesTokenCount: countCodePoints(JSON.stringify(candidate.content)) >> 2,
    },
  });
}

function toCandidate(answer: SimulatedAnswer, origin: string) {
  const { text, supports, pages } = write(answer);
  const thought = answer.choose.chance(40)
    ? [{ text: 'Looking for names that are often recommended.', thought: true }]
    : [];
  return {
    index: 0,
    finishReason: 'STOP',
    content: { role: 'model', parts: [...thought, { text }] },
    groundingMetadata: {
      webSearchQueries: answer.choose.chance(20) ? [...answer.queries, ''] : answer.queries,
      searchEntryPoint: { renderedContent: '<div></div>' },
      groundingChunks: pages.map((page, index) => ({ web: toChunk(page, index, origin) })),
      groundingSupports: supports,
    },
  };
}

function write({ lines, retrieved }: SimulatedAnswer): { text: string; supports: unknown[]; pages: Page[] } {
  const pages = [...new Map(retrieved.map((page) => [page.url, page])).values()];
  const supports: unknown[] = [];
  let text = '';
  for (const line of lines) {
    // Offsets of segments are bytes.
    const startIndex = Buffer.byteLength(text);
    text += line.text;
    if (line.pages.length === 0) continue;
    supports.push({
      segment: { startIndex, endIndex: Buffer.byteLength(text), text: line.text },
      groundingChunkIndices: line.pages.map((page) => pages.findIndex(({ url }) => url === page.url)),
    });
  }
  return { text, supports, pages };
}

/** Most titles are the host. For the others, only the redirect reveals the target. */
function toChunk(page: Page, index: number, origin: string): { uri: string; title: string } {
  const token = Buffer.from(page.url).toString('base64url');
  const named = index % 4 !== 3 && !isHidden(page);
  const base = named ? 'https://vertexaisearch.cloud.google.com' : `${origin}/gemini`;
  return { uri: `${base}${redirectPath}${token}`, title: named ? getHost(page.url) : page.title };
}
