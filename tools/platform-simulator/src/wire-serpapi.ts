import { composeAnswer, type Page, type SimulatedAnswer } from './answer.ts';
import {
  getHost,
  isWithoutOverview,
  ok,
  retryAfter,
  type Wire,
  type WireCall,
  type WireResponse,
} from './wire.ts';

const messages: Record<number, string> = {
  400: 'Missing query `q` parameter.',
  401: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key',
  429: 'You are exceeding the hourly throughput limit of your plan.',
};

/** SerpApi: Google's page, and the second call for an overview that loads later. */
export const serpApiWire: Wire = {
  platform: 'ai_overviews',
  method: 'GET',
  path: /^\/serpapi\/search(?:\.json)?$/,
  readKey: ({ query }) => query.get('api_key') ?? undefined,
  respond: search,
  refuse: (status, retryAfterSeconds) => ({
    status,
    headers: retryAfter(retryAfterSeconds),
    body: { error: messages[status] ?? 'Internal server error.' },
  }),
};

const metadata = { id: 'simulated', status: 'Success', total_time_taken: 0.1 };
const notAvailable = { error: 'An AI Overview is not available for this search' };

function search(call: WireCall): WireResponse {
  if (call.trouble?.kind === 'error-in-200') {
    return ok({
      search_metadata: { ...metadata, status: 'Error' },
      error: 'We could not process your search. Please try again.',
    });
  }
  const token = call.query.get('page_token');
  const [prompt, gl] =
    token === null ? [call.query.get('q'), call.query.get('gl') ?? 'us'] : readToken(token);
  if (!prompt) return serpApiWire.refuse(400, undefined);
  const country = gl === 'uk' ? 'GB' : gl.toUpperCase();
  const answer = composeAnswer({ platform: 'ai_overviews', prompt, country, day: call.day }, call);
  const frame = {
    search_metadata: metadata,
    search_parameters: Object.fromEntries([...call.query].filter(([name]) => name !== 'api_key')),
  };
  if (call.trouble?.kind === 'empty')
    return ok({ ...frame, ai_overview: { text_blocks: [], references: [] } });
  if (token !== null) return ok({ ...frame, ai_overview: toOverview(answer) });
  const page = {
    ...frame,
    organic_results: answer.retrieved.map(({ url, title }, index) => ({
      position: index + 1,
      title,
      link: url,
    })),
  };
  const none = isWithoutOverview(call.trouble) || answer.choose.chance(15);
  if (none) return ok(withoutOverview(page, answer));
  if (answer.choose.chance(30)) return ok({ ...page, ai_overview: { page_token: writeToken(prompt, gl) } });
  return ok({ ...page, ai_overview: toOverview(answer) });
}

/** The real forms of "no overview": no field, an error in it, or only overviews of related questions. */
function withoutOverview(page: Record<string, unknown>, { choose }: SimulatedAnswer): unknown {
  const related = {
    question: 'What else do people ask?',
    type: 'ai_overview',
    text_blocks: [{ type: 'paragraph', snippet: 'Acme is one answer to another question.' }],
  };
  return choose.pick([
    page,
    { ...page, ai_overview: notAvailable },
    { ...page, related_questions: [related] },
  ]);
}

function toOverview({ lines }: SimulatedAnswer): unknown {
  const references: Page[] = [
    ...new Map(lines.flatMap((line) => line.pages).map((page) => [page.url, page])).values(),
  ];
  const blocks = lines
    .filter((line) => line.text.trim() !== '')
    .map((line) => {
      const plain = line.text.replace(/\*\*|^\d+\. |^\||\|$|---\|?/gm, '').trim();
      const [page] = line.pages;
      if (page === undefined) return { type: 'paragraph', snippet: plain };
      // The chip of the first source is appended to the snippet.
      const chip =
        line.pages.length > 1 ? `${getHost(page.url)} +${line.pages.length - 1}` : getHost(page.url);
      return { type: 'paragraph', snippet: `${plain} ${chip}`, snippet_links: [{ link: tracked(page.url) }] };
    });
  return {
    text_blocks: blocks,
    references: references.map(({ url, title }, index) => ({
      title,
      link: tracked(url),
      snippet: title,
      source: getHost(url),
      index,
    })),
  };
}

function tracked(url: string): string {
  return url.includes('reddit.com') ? `${url}?utm_source=google&fbclid=simulated` : url;
}

function writeToken(prompt: string, gl: string): string {
  return Buffer.from(JSON.stringify([prompt, gl])).toString('base64url');
}

function readToken(token: string): [string | null, string] {
  try {
    const [prompt, gl] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [string, string];
    return [prompt, gl];
  } catch {
    return [null, 'us'];
  }
}
