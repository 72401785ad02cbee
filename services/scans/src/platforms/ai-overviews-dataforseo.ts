import { z } from 'zod';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
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
// A page holds many kinds of items; only the overview's shape is ours to check.
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
  return adapter('ai_overviews', config, http, async (context) => {
    const body = await send(context);
    return { ...parseDataForSeo(body), localization: 'native', costUsd: costOf(body, config) };
  });
}

function send({ question, apiKey, config, http, signal }: AskContext): Promise<unknown> {
  return http.json({
    method: 'POST',
    url: `${config.baseUrl}/v3/serp/google/organic/live/advanced`,
    headers: { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` },
    body: [
      {
        keyword: asKeyword(question.prompt),
        location_name: marketName(question.country),
        language_code: searchLanguage(question.country),
        device: 'desktop',
        depth: 10,
        load_async_ai_overview: true,
        expand_ai_overview: true,
      },
    ],
    signal,
  });
}

/** The service decodes what it is sent: a bare "+" would become a space, "%" the start of an escape. */
function asKeyword(prompt: string): string {
  return prompt.replaceAll('%', '%25').replaceAll('+', '%2B');
}

export function parseDataForSeo(raw: unknown): ParsedAnswer {
  const body = readBody(Body, raw);
  const [task] = body.tasks ?? [];
  throwIfFailed(body.status_code, body.status_message);
  if (task === undefined) throw new PlatformError('malformed', 'no task in the body', { status: 200 });
  throwIfFailed(task.status_code, task.status_message);
  const overview = overviewOf(task);
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

/** `item_types` may name an overview that `items` does not hold: only what is delivered counts. */
function overviewOf(task: z.infer<typeof Task>): z.infer<typeof Overview> | undefined {
  const [page] = task.result ?? [];
  // A task that is done has a page, unless the search found nothing.
  if (!page && task.status_code === done) {
    throw new PlatformError('malformed', 'no result in the task', { status: 200 });
  }
  const item = page?.items?.find(({ type }) => type === 'ai_overview');
  return item && readBody(Overview, item);
}

/** The service answers 200 to nearly everything; its own code says how it went. */
function throwIfFailed(code: number, message: string | null | undefined): void {
  if (code === done || code === noSearchResults) return;
  throw new PlatformError(kindOf(code), `${code} ${message ?? ''}`, { status: 200 });
}

const kinds: Record<number, PlatformErrorKind> = {
  40_101: 'unavailable', // the search engine failed
  40_103: 'unavailable', // the task failed
  40_202: 'rate_limited',
  40_209: 'rate_limited', // too many at once
  50_401: 'timeout',
};

function kindOf(code: number): PlatformErrorKind {
  const known = kinds[code];
  if (known !== undefined) return known;
  if (code >= 50_000) return 'unavailable';
  if (code >= 40_200 && code < 40_300) return 'quota';
  if (code >= 40_100 && code < 40_200) return 'unauthorised';
  return 'rejected';
}

function costOf(raw: unknown, config: PlatformConfig): number | null {
  const stated = Body.parse(raw).cost;
  return stated ?? costUsd(config.prices, { inputTokens: 0, outputTokens: 0, searches: 1, requests: 1 });
}
