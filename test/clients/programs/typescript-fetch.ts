/** Uses the client of openapi-generator typescript-fetch. */
import { BrandsApi, Configuration, OrganisationsApi, PromptsApi, ResponseError, ResultsApi } from './client';
import { ErrorResponseFromJSON, type Prompt } from './client';

const env = process.env as Record<string, string>;
const configure = (basePath: string | undefined, accessToken: string | undefined): Configuration =>
  new Configuration({ basePath: basePath ?? '', accessToken: accessToken ?? '' });
const live = configure(env['BV_BASE_URL'], env['BV_API_KEY']);
const proxy = configure(env['BV_PROXY_URL'], env['BV_API_KEY']);
const limited = configure(env['BV_BASE_URL'], env['BV_LIMITED_KEY']);
const orgId = env['BV_ORG'] ?? '';
const key = env['BV_PROMPT'] ?? '';

async function names(configuration: Configuration): Promise<string[]> {
  const { data } = await new BrandsApi(configuration).listBrands({ orgId, isOwn: true });
  return data.map(({ name }) => name).sort();
}

async function readPages(): Promise<{ pages: number; mentions: number }> {
  const results = new ResultsApi(proxy);
  const mentions = new Set<string>();
  let cursor: string | null | undefined;
  let pages = 0;
  do {
    const brandId = env['BV_BRAND'] ?? '';
    const limit = Number(env['BV_PAGE_SIZE']);
    const page = await results.listMentions({ orgId, brandId, limit, ...(cursor ? { cursor } : {}) });
    for (const row of page.data) mentions.add(`${row.promptId} ${row.country} ${row.platform}`);
    cursor = page.pagination.nextCursor;
    pages += 1;
  } while (cursor);
  return { pages, mentions: mentions.size };
}

async function createPrompt(text: string): Promise<Prompt> {
  const createPromptRequest = { text, countries: ['US'] };
  const brandId = env['BV_OTHER_BRAND'] ?? '';
  const api = new PromptsApi(live);
  return (await api.createPrompt({ orgId, brandId, createPromptRequest, idempotencyKey: key })).data;
}

async function refusal(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return `${error.response.status} ${ErrorResponseFromJSON(await error.response.json()).error.code}`;
  }
  return 'never';
}

async function exceed(): Promise<void> {
  for (let call = 0; call < 10; call += 1) await new OrganisationsApi(limited).listOrgs({});
}

async function main(): Promise<void> {
  const first = await createPrompt(key);
  const again = await createPrompt(key);
  const unknown = { orgId: env['BV_UNKNOWN_ORG'] ?? '' };
  const outcome = {
    own_brands: await names(live),
    ...(await readPages()),
    replayed: first.id === again.id,
    conflict: await refusal(() => createPrompt('Another text?')),
    limited: await refusal(exceed),
    unknown_field: await names(proxy),
    unknown_field_of_error: await refusal(() => new BrandsApi(proxy).listBrands(unknown)),
  };
  console.log(JSON.stringify(outcome));
}

void main();
