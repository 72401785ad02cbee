/** Uses openapi-fetch with the types of openapi-typescript. */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const env = process.env as Record<string, string>;
const create = (url: string | undefined, key: string | undefined) =>
  createClient<paths>({ baseUrl: url ?? '', headers: { authorization: `Bearer ${key ?? ''}` } });
const live = create(env['BV_BASE_URL'], env['BV_API_KEY']);
const proxy = create(env['BV_PROXY_URL'], env['BV_API_KEY']);
const limited = create(env['BV_BASE_URL'], env['BV_LIMITED_KEY']);
const org = { orgId: env['BV_ORG'] ?? '' };
const key = env['BV_PROMPT'] ?? '';

async function names(client: typeof live): Promise<string[]> {
  const { data } = await client.GET('/orgs/{orgId}/brands', {
    params: { path: org, query: { is_own: true } },
  });
  return (data?.data ?? []).map(({ name }) => name).sort();
}

async function readPages(): Promise<{ pages: number; mentions: number }> {
  const path = { ...org, brandId: env['BV_BRAND'] ?? '' };
  const mentions = new Set<string>();
  let cursor: string | null | undefined;
  let pages = 0;
  do {
    const query = { limit: Number(env['BV_PAGE_SIZE']), ...(cursor ? { cursor } : {}) };
    const { data } = await proxy.GET('/orgs/{orgId}/brands/{brandId}/mentions', { params: { path, query } });
    for (const row of data?.data ?? []) mentions.add(`${row.prompt_id} ${row.country} ${row.platform}`);
    cursor = data?.pagination.next_cursor;
    pages += 1;
  } while (cursor);
  return { pages, mentions: mentions.size };
}

const createPrompt = (text: string) =>
  live.POST('/orgs/{orgId}/brands/{brandId}/prompts', {
    params: { path: { ...org, brandId: env['BV_OTHER_BRAND'] ?? '' }, header: { 'Idempotency-Key': key } },
    body: { text, countries: ['US'] },
  });

type Refused = { error?: components['schemas']['ErrorResponse']; response: Response };
const refusal = ({ error, response }: Refused): string => `${response.status} ${error?.error.code}`;

async function exceed(): Promise<string> {
  for (let call = 0; call < 10; call += 1) {
    const outcome = await limited.GET('/orgs');
    if (outcome.error !== undefined) return refusal(outcome);
  }
  return 'never';
}

const first = await createPrompt(key);
const again = await createPrompt(key);
const unknownOrg = { params: { path: { orgId: env['BV_UNKNOWN_ORG'] ?? '' } } };
console.log(
  JSON.stringify({
    own_brands: await names(live),
    ...(await readPages()),
    replayed: first.data !== undefined && first.data.data.id === again.data?.data.id,
    conflict: refusal(await createPrompt('Another text?')),
    limited: await exceed(),
    unknown_field: await names(proxy),
    unknown_field_of_error: refusal(await proxy.GET('/orgs/{orgId}/brands', unknownOrg)),
  }),
);
