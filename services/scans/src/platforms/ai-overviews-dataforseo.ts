import { z } from 'zod';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { isPresent, readBody, toAnswer, tolerantList } from './answer.ts';
import { marketName, searchLanguage } from './market.ts';
import {
  PlatformError,
  type ParsedAnswer,
  type PlatformAdapter,
  type PlatformErrorKind,
} from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';
import { chipNames, maxChipSources, stripChip } from './source-chips.ts';

const text = z.string().nullish().catch(null);
const Reference = z.object({ url: text, title: text, source: text, domain: text });
type Reference = z.infer<typeof Reference>;
const Row = tolerantList(z.union([z.string(), z.number().transform(String)]));
const Component = z.object({
  title: text,
  text: z.string().nullish(),
  /** Of a video. */
  snippet: text,
  markdown: z.string().nullish(),
  table: z
    .object({
      table_header: Row.nullish().catch(null),
      table_content: tolerantList(Row).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  references: tolerantList(Reference).nullish().catch(null),
});
type Component = z.infer<typeof Component>;
const Element = Component.extend({
  /** Of an expanded element. */
  components: tolerantList(Component).nullish(),
});
type Element = z.infer<typeof Element>;
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

/** Of every prompt. */
const usage = { inputTokens: 0, outputTokens: 0, searches: 1, requests: 1 };

/** Google AI Overviews through DataForSEO, the alternative to SerpApi. The key is "login:password". */
export function createDataForSeoAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('ai_overviews', config, http, async (context) => {
    const body = await send(context);
    const answer = parseDataForSeo(body);
    return { ...answer, localization: 'native', usage, costUsd: parseCost(body, config) };
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
  for (const { url, title, domain, source } of references) {
    sources.cite({ url, title, names: [domain, source] });
  }
  return toAnswer(
    overview?.markdown?.trim() ? overview.markdown : elementsText(elements, references),
    { declined: overview === undefined, truncated: false },
    { ...sources.toCitations(), searchQueries: [], model: null, searchUsed: true },
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
  return stated ?? costUsd(config.prices, usage);
}

/**
 * The text of an overview from its elements: text, tables, videos and components of expanded elements. `references` are
 * those of the whole overview, because a chip may name a source that another element lists.
 */
function elementsText(elements: readonly Element[], references: readonly Reference[]): string {
  const listedNames = toChipNames(references);
  return elements
    .flatMap((element) => [element, ...(element.components ?? []).filter(isPresent)])
    .map((component) => componentText(component, listedNames))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The sources named inside elements and their components. */
function elementsReferences(elements: readonly Element[]): Reference[] {
  return elements
    .flatMap((element) => [element, ...(element.components ?? []).filter(isPresent)])
    .flatMap(({ references }) => references ?? [])
    .filter(isPresent);
}

function toChipNames(references: readonly Reference[]): string[] {
  const names = references
    .slice(0, maxChipSources)
    .flatMap(({ source, domain, url }) => [...chipNames({ source, link: url }), ...(domain ? [domain] : [])]);
  return [...new Set(names)];
}

/** `text` ends in source chips, `markdown` has links instead. */
function componentText(component: Component, listedNames: readonly string[]): string {
  const own = toChipNames((component.references ?? []).filter(isPresent));
  const plain = stripChip(component.text ?? '', { names: [...own, ...listedNames] });
  const body = component.markdown?.trim() ? component.markdown : plain;
  const rows = component.markdown?.trim() ? [] : toRows(component);
  return [component.title ?? '', body, component.snippet ?? '', ...rows]
    .filter((part) => part.trim() !== '')
    .join('\n');
}

function toRows({ table }: Component): string[] {
  return [table?.table_header, ...(table?.table_content ?? [])]
    .filter(isPresent)
    .map((row) => row.filter(isPresent).join(' | '));
}
