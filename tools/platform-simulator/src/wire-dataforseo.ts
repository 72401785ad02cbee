import { z } from 'zod';
import { composeAnswer, type SimulatedAnswer } from './answer.ts';
import {
  getHost,
  isWithoutOverview,
  ok,
  parseRequest,
  type Wire,
  type WireCall,
  type WireResponse,
} from './wire.ts';

const Request = z.tuple([
  z.object({ keyword: z.string().min(1), location_name: z.string(), language_code: z.string() }),
]);

const codes: Record<number, [code: number, message: string]> = {
  400: [40_501, "Invalid Field: 'keyword'."],
  401: [40_100, 'You are not Authorized to Access this resource.'],
  429: [40_202, 'You have reached the rate limit per minute.'],
};

/** DataForSEO live SERP: returns 200 for nearly everything; its own code is the status. */
export const dataForSeoWire: Wire = {
  platform: 'ai_overviews',
  method: 'POST',
  path: /^\/dataforseo\/v3\/serp\/google\/organic\/live\/advanced$/,
  readKey: ({ headers }) => {
    const credentials = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    return credentials && Buffer.from(credentials, 'base64').toString();
  },
  respond: live,
  refuse: (status) => {
    const [code, message] = codes[status] ?? [50_000, 'Internal Error.'];
    return { status: status === 401 || status >= 500 ? status : 200, body: envelope(code, message, []) };
  },
};

/** Like the service, which URL-decodes the keyword. */
function decoded(keyword: string): string {
  try {
    return decodeURIComponent(keyword.replaceAll('+', ' '));
  } catch {
    return keyword;
  }
}

function live(call: WireCall): WireResponse {
  const request = parseRequest(Request, call.body);
  if (request === null) return ok(envelope(20_000, 'Ok.', [task(40_501, "Invalid Field: 'keyword'.", null)]));
  if (call.trouble?.kind === 'error-in-200')
    return ok(envelope(20_000, 'Ok.', [task(40_101, 'Internal SE Server Error.', null)]));
  const [{ keyword, location_name: country }] = request;
  const prompt = decoded(keyword);
  const answer = composeAnswer({ platform: 'ai_overviews', prompt, country, day: call.day }, call);
  const organic = answer.retrieved.map(({ url, title }) => ({
    type: 'organic',
    domain: getHost(url),
    title,
    url,
  }));
  const none = isWithoutOverview(call.trouble) || answer.choose.chance(15);
  const overview =
    call.trouble?.kind === 'empty'
      ? { type: 'ai_overview', markdown: null, items: [], references: [] }
      : toOverview(answer);
  const items = none ? organic : [overview, ...organic];
  // The list of types may name an overview that was not delivered.
  const result = {
    keyword: prompt,
    type: 'organic',
    item_types: ['ai_overview', 'organic'],
    items_count: items.length,
    items,
  };
  return ok(envelope(20_000, 'Ok.', [task(20_000, 'Ok.', [result])]));
}

function toOverview({ lines }: SimulatedAnswer): unknown {
  const markdown = lines
    .map((line) => {
      const end = /\s*$/.exec(line.text)?.[0] ?? '';
      const links = line.pages.map(({ url }, index) => `[[${index + 1}]](${url})`).join('');
      return line.text.slice(0, line.text.length - end.length) + links + end;
    })
    .join('');
  const pages = new Map(lines.flatMap((line) => line.pages).map((page) => [page.url, page]));
  const references = Array.from(pages.values(), ({ url, title }) => ({
    type: 'ai_overview_reference',
    source: getHost(url),
    domain: new URL(url).hostname,
    url,
    title,
  }));
  return { type: 'ai_overview', asynchronous_ai_overview: false, markdown, items: [], references };
}

function task(code: number, message: string, result: unknown): unknown {
  return {
    id: 'simulated',
    status_code: code,
    status_message: message,
    cost: 0.002,
    result_count: result === null ? 0 : 1,
    result,
  };
}

function envelope(code: number, message: string, tasks: unknown[]): unknown {
  return {
    version: '0.1.20260717',
    status_code: code,
    status_message: message,
    cost: 0.002,
    tasks_count: tasks.length,
    tasks_error: 0,
    tasks,
  };
}
