import { callerHeader, signCaller } from '@bv/http';
import { testCaller, testCallerSecret } from '@bv/testkit';
import type pg from 'pg';
import { orgId } from './generate.ts';

type Page = { rows: number; next: string | null; ms: number };

/** Requests a resource as the gateway does. Throws if the status is not 200. */
export async function getItem(base: string, path: string, query: Record<string, string>): Promise<string> {
  const url = `${base}/v1/orgs/${orgId}/${path}?${new URLSearchParams(query).toString()}`;
  const headers = { [callerHeader]: signCaller(testCaller({ orgId }), testCallerSecret) };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** Requests one page, timed until the last byte. */
export async function getPage(base: string, path: string, query: Record<string, string>): Promise<Page> {
  const started = performance.now();
  const text = await getItem(base, path, query);
  const ms = performance.now() - started;
  const { data, pagination } = JSON.parse(text);
  return { rows: data.length, next: pagination.next_cursor, ms };
}

/** Reads the rows of a mentions page with plain `pg` in its default configuration, as an array of objects. */
export async function readPlain(
  client: pg.Client,
  brandId: string,
  page: { from: string; to: string; limit: number },
): Promise<Page> {
  const started = performance.now();
  const { rows } = await client.query({
    text: `select id, prompt_id, run_date, platform, country, finalized_at, mentioned, position, sentiment
           from units where brand_id = $1 and run_date >= $2 and run_date <= $3
           order by run_date desc, finalized_at desc, id desc limit $4`,
    values: [brandId, page.from, page.to, page.limit],
  });
  return { rows: rows.length, next: null, ms: performance.now() - started };
}
