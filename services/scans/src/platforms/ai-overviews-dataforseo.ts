import { z } from 'zod';
import { createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { isPresent, readBody, tolerantList, toAnswer } from './body.ts';
import { costUsd } from './cost.ts';
import { Element, elementsReferences, elementsText, Reference } from './dataforseo-text.ts';
import { marketName, searchLanguage } from './market.ts';
import {
  PlatformError,
  type ParsedAnswer,
  type PlatformAdapter,
  type PlatformErrorKind,
} from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';

const text = z.string().nullish().catch(null);
const Overview = z.object({
  markdown: z.string().nullish(),
  items: tolerantList(Element).nullish(),
  references: tolerantList(Reference).nullish().catch(null),
});
// A page holds many kinds of items; only the shape of the overview matters.
const Item = z.looseObject({ type: z.string() });
const Task = z.object({
  status_code: z.number(),
  status_message: text,
  result: z.array(z.object({ items: z.array(Item).nullish() })).nullish(),
});
const Body = z.object({
  status_code: z.number(),
  status_message: text,
  cost: z.number().nullish().catch(null),
  tasks: z.array(Task).nullish(),
});

const done = 20_000;
const noSearchResults = 40_102;

/** Google AI Overviews through DataForSEO, the alternative to SerpApi. The key is "login:password". */
export function createDataForSeoAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('ai_overviews', config, http, async (context) => {
    const body = await send(context);
    return { ...parseDataForSeo(body), localization: 'native', costUsd: parseCost(body, config) };
  });
}

function send({ request, apiKey, config, http, signal }: RequestContext): Promise<unknown> {
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v3/serp/google/organic/live/advanced`,
    headers: { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` },
    body: [
      {
        keyword: toKeyword(request.prompt),
        location_name: marketName(request.country),
        language_code: searchLanguage(request.country),
        device: 'desktop',
        depth: 10,
        load_async_ai_overview: true,
        expand_ai_overview: true,
      },
    ],
    signal,
  });
}

/** The service URL-decodes the keyword: a bare "+" would become a space, "%" the start of an escape. */
function toKeyword(prompt: string): string {
  return prompt.replaceAll('%', '%25').replaceAll('+', '%2B');
}

export function parseDataForSeo(raw: unknown): ParsedAnswer {
  const body = readBody(Body, raw);
  const [task] = body.tasks ?? [];
  throwIfFailed(body.status_code, body.status_message);
  if (task === undefined) throw new PlatformError('malformed', 'no task in the body', { status: 200 });
  throwIfFailed(task.status_code, task.status_message);
  const overview = parseOverview(task);
  const elements = (overview?.items ?? []).filter(isPresent);
  const sources = new SourceList();
  const references = [...(overview?.references ?? []).filter(isPresent), ...elementsReferences(elements)];
  for (const reference of references) sources.cite(reference.url, reference.title);
  return toAnswer(
    overview?.markdown?.trim() ? overview.markdown : elementsText(elements, references),
    { declined: overview === undefined, truncated: false },
    { sources: sources.toSources(), searchQueries: [], model: null, searchUsed: true },
  );
}

/** `item_types` may name an overview that `items` does not hold: only `items` counts. */
function parseOverview(task: z.infer<typeof Task>): z.infer<typeof Overview> | undefined {
  const [page] = task.result ?? [];
  // A completed task has a page, unless the search has no results.
  if (!page && task.status_code === done) {
    throw new PlatformError('malformed', 'no result in the task', { status: 200 });
  }
  const item = page?.items?.find(({ type }) => type === 'ai_overview');
  return item && readBody(Overview, item);
}

/** The service returns 200 for nearly everything; its own code is the status. */
function throwIfFailed(code: number, message: string | null | undefined): void {
  if (code === done || code === noSearchResults) return;
  throw new PlatformError(toErrorKind(code), `${code} ${message ?? ''}`, { status: 200 });
}

const kinds: Record<number, PlatformErrorKind> = {
  40_101: 'unavailable', // the search engine failed
  40_103: 'unavailable', // the task failed
  40_202: 'rate_limited',
  40_209: 'rate_limited', // too many at once
  50_401: 'timeout',
};

function toErrorKind(code: number): PlatformErrorKind {
  const kind = kinds[code];
  if (kind !== undefined) return kind;
  if (code >= 50_000) return 'unavailable';
  if (code >= 40_200 && code < 40_300) return 'quota';
  if (code >= 40_100 && code < 40_200) return 'unauthorised';
  return 'rejected';
}

function parseCost(raw: unknown, config: PlatformConfig): number | null {
  const stated = Body.parse(raw).cost;
  return stated ?? costUsd(config.prices, { inputTokens: 0, outputTokens: 0, searches: 1, requests: 1 });
}
