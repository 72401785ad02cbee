import { z } from 'zod';
import { costUsd, createAdapter, type PlatformConfig, type RequestContext } from './adapter.ts';
import { isPresent, readBody, tolerantList, toAnswer } from './answer.ts';
import { parseErrorDetail } from './failure.ts';
import { searchLanguage } from './market.ts';
import { PlatformError, type ParsedAnswer, type PlatformAdapter } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';
import { chipNames, type ChipSource, maxChipSources, stripChip, stripUnknownChip } from './source-chips.ts';

const text = z.string().nullish().catch(null);
const Reference = z.object({
  title: text,
  link: text,
  source: text,
  favicon: text,
  source_icon: text,
  index: z.number().nullish().catch(null),
});
const Overview = z.object({
  error: text,
  page_token: text,
  text_blocks: z.array(z.custom<TextBlock>((block) => typeof block === 'object' && block !== null)).nullish(),
  references: tolerantList(Reference).nullish().catch(null),
});
const Body = z.object({
  search_metadata: z.object({ status: text }),
  ai_overview: Overview.nullish(),
});

/** Errors that mean the search has no overview; any other error is retried. */
const noResults = /hasn't returned any results|no results/i;
const noOverview = /not available|unavailable for this search|hasn't returned any results/i;

/** Google AI Overviews through SerpApi. */
export function createSerpApiAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return createAdapter('ai_overviews', config, http, async (context) => {
    const { bodies, answer } = await requestOverview(context);
    const usage = { inputTokens: 0, outputTokens: 0, searches: bodies, requests: bodies };
    return { ...answer, localization: 'native', usage, costUsd: costUsd(config.prices, usage) };
  });
}

/** Google loads some overviews later. The page then holds a token for one more call, valid for four minutes. */
async function requestOverview(context: RequestContext): Promise<{ bodies: number; answer: ParsedAnswer }> {
  const { prompt, country } = context.request;
  const page = await search(context, {
    engine: 'google',
    q: prompt,
    // The only country for which Google's parameter is not the ISO code.
    gl: country === 'GB' ? 'uk' : country.toLowerCase(),
    hl: searchLanguage(country),
  });
  const token = parsePageToken(page);
  if (token === null) return { bodies: 1, answer: parseSerpApi(page) };
  const overview = await search(context, { engine: 'google_ai_overview', page_token: token });
  return { bodies: 2, answer: parseSerpApi(overview) };
}

function search(
  { apiKey, config, http, signal }: RequestContext,
  parameters: Record<string, string>,
): Promise<unknown> {
  const query = new URLSearchParams({ ...parameters, api_key: apiKey });
  return http.json({ method: 'GET', url: `${config.baseUrl}/search?${query.toString()}`, signal });
}

/** The token for the second call, if the page holds it instead of the overview. */
export function parsePageToken(raw: unknown): string | null {
  const overview = Body.safeParse(raw).data?.ai_overview;
  return overview?.text_blocks?.length ? null : (overview?.page_token ?? null);
}

export function parseSerpApi(raw: unknown): ParsedAnswer {
  const isEmpty = noResults.test(parseErrorDetail(raw)?.message ?? '');
  const body = readBody(Body, isEmpty ? { ...(raw as object), error: undefined } : raw);
  if (body.search_metadata.status !== 'Success') {
    throw new PlatformError('unavailable', `the search is ${body.search_metadata.status}`, { status: 200 });
  }
  const overview = body.ai_overview;
  if (parsePageToken(raw) !== null)
    throw new PlatformError('malformed', 'a token where the overview should be', { status: 200 });
  if (overview?.error && !noOverview.test(overview.error)) {
    throw new PlatformError('unavailable', `no overview: ${overview.error}`, { status: 200 });
  }
  const references = (overview?.references ?? []).filter(isPresent);
  const sources = new SourceList();
  for (const { link, title, source, favicon, source_icon } of references) {
    sources.cite({ url: link, title, names: [favicon, source_icon, source] });
  }
  // No overview, or an error that reports it, is a stated reason. An overview without text is not.
  const isAbsent = !overview || Boolean(overview.error);
  return toAnswer(
    overviewText(overview?.text_blocks ?? [], references),
    { declined: isAbsent, truncated: false },
    { ...sources.toCitations(), searchQueries: [], model: null, searchUsed: true },
  );
}

/** A block of an overview; lists nest, expandable blocks hold blocks. */
export type TextBlock = {
  type?: string;
  title?: string;
  snippet?: string;
  snippet_links?: { text?: string; link?: string }[];
  list?: TextBlock[];
  table?: string[][];
  text_blocks?: TextBlock[];
  comparison?: { feature?: string; values?: string[] }[];
  product_labels?: string[];
};

const maxDepth = 6;
/** Above the stored size of an answer; the rest of a larger body is ignored. */
const maxLength = 40_000;

/** The overview's text: a line for each snippet, list item and table row, without the source chips at their ends. */
function overviewText(blocks: readonly TextBlock[], references: readonly ChipSource[]): string {
  const listedNames = references.slice(0, maxChipSources).flatMap(chipNames);
  const lines: string[] = [];
  let length = 0;
  for (const line of toLines(blocks, listedNames, 0)) {
    lines.push(line);
    length += line.length;
    if (length > maxLength) break;
  }
  return lines.join('\n');
}

function* toLines(
  blocks: readonly TextBlock[],
  listedNames: readonly string[],
  depth: number,
): Generator<string> {
  if (depth > maxDepth) return;
  for (const [index, block] of blocks.entries()) {
    const next = depth === 0 ? blocks[index + 1]?.type : undefined;
    const lines = [
      toText(block.title),
      withoutChip(toText(block.snippet), block, {
        listedNames,
        isFollowed: next !== undefined && next !== 'heading',
      }),
      toArray(block.product_labels).map(toText).join(' | '),
      ...toObjects(block.comparison).map((row) =>
        [toText(row.feature), ...toArray(row.values).map(toText)].join(' | '),
      ),
      ...toArray(block.table).map((row) => toArray(row).map(toText).join(' | ')),
    ];
    yield* lines.filter((line) => line !== '');
    yield* toLines(toObjects(block.list), listedNames, depth + 1);
    yield* toLines(toObjects(block.text_blocks), listedNames, depth + 1);
  }
}

type ChipContext = { listedNames: readonly string[]; isFollowed: boolean };

/** A link without a text may belong to a chip, but also to a snippet whose links lost their texts. */
function withoutChip(snippet: string, block: TextBlock, { listedNames, isFollowed }: ChipContext): string {
  const links = toObjects(block.snippet_links)
    .slice(0, maxChipSources)
    .filter(({ text }) => !text);
  const linked = links.flatMap(({ link }) => chipNames({ link }));
  const introduces = links.length > 0 && isFollowed;
  const stripped = stripChip(snippet, { names: [...linked, ...listedNames], introduces });
  return stripped === snippet && links.length > 0 ? stripUnknownChip(snippet) : stripped;
}

function toArray<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

function toObjects<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return toArray(value).filter((item) => typeof item === 'object' && item !== null);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
