import { z } from 'zod';
import { adapter, type AskContext, type PlatformConfig } from './ask.ts';
import { isPresent, readBody, tolerantList, toAnswer } from './body.ts';
import { costUsd } from './cost.ts';
import { errorDetailOf } from './failure.ts';
import { searchLanguage } from './market.ts';
import { PlatformError, type ParsedAnswer, type PlatformAdapter } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';
import { SourceList } from './sources.ts';
import { overviewText, type TextBlock } from './serpapi-text.ts';

const text = z.string().nullish().catch(null);
const Reference = z.object({
  title: text,
  link: text,
  source: text,
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

/** How the service says that the search has no overview; any other error is worth another try. */
const noResults = /hasn't returned any results|no results/i;
const noOverview = /not available|unavailable for this search|hasn't returned any results/i;

/** Google AI Overviews through SerpApi. */
export function createSerpApiAdapter(config: PlatformConfig, http: PlatformHttp): PlatformAdapter {
  return adapter('ai_overviews', config, http, async (context) => {
    const { bodies, answer } = await askForOverview(context);
    const usage = { inputTokens: 0, outputTokens: 0, searches: bodies, requests: bodies };
    return { ...answer, localization: 'native', costUsd: costUsd(config.prices, usage) };
  });
}

/** Google loads some overviews later: the page then holds a token, good for four minutes and one more call. */
async function askForOverview(context: AskContext): Promise<{ bodies: number; answer: ParsedAnswer }> {
  const { prompt, country } = context.question;
  const page = await search(context, {
    engine: 'google',
    q: prompt,
    // The one country Google's parameter does not call by its ISO code.
    gl: country === 'GB' ? 'uk' : country.toLowerCase(),
    hl: searchLanguage(country),
  });
  const token = pageTokenOf(page);
  if (token === null) return { bodies: 1, answer: parseSerpApi(page) };
  const overview = await search(context, { engine: 'google_ai_overview', page_token: token });
  return { bodies: 2, answer: parseSerpApi(overview) };
}

function search(
  { apiKey, config, http, signal }: AskContext,
  parameters: Record<string, string>,
): Promise<unknown> {
  const query = new URLSearchParams({ ...parameters, api_key: apiKey });
  return http.json({ method: 'GET', url: `${config.baseUrl}/search?${query.toString()}`, signal });
}

/** The token for the second call, when the page holds that instead of the overview. */
export function pageTokenOf(raw: unknown): string | null {
  const overview = Body.safeParse(raw).data?.ai_overview;
  return overview?.text_blocks?.length ? null : (overview?.page_token ?? null);
}

export function parseSerpApi(raw: unknown): ParsedAnswer {
  const isEmpty = noResults.test(errorDetailOf(raw)?.message ?? '');
  const body = readBody(Body, isEmpty ? { ...(raw as object), error: undefined } : raw);
  if (body.search_metadata.status !== 'Success') {
    throw new PlatformError('unavailable', `the search is ${body.search_metadata.status}`, { status: 200 });
  }
  const overview = body.ai_overview;
  if (pageTokenOf(raw) !== null)
    throw new PlatformError('malformed', 'a token where the overview should be', { status: 200 });
  if (overview?.error && !noOverview.test(overview.error)) {
    throw new PlatformError('unavailable', `no overview: ${overview.error}`, { status: 200 });
  }
  const references = (overview?.references ?? []).filter(isPresent);
  const sources = new SourceList();
  for (const reference of references) sources.cite(reference.link, reference.title);
  // No overview, or an error that says so, is a reason; an overview without any text is not.
  const isAbsent = !overview || Boolean(overview.error);
  return toAnswer(
    overviewText(overview?.text_blocks ?? [], references),
    { declined: isAbsent, truncated: false },
    { sources: sources.toSources(), searchQueries: [], model: null, searchUsed: true },
  );
}
