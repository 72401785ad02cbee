import {
  describeInformative,
  listScores,
  listShareOfVoice,
  listSources,
  type Score,
  type ShareOfVoice,
  type Source,
} from '@bv/contract';
import type { ApiClient } from './api-client.ts';
import { comparedQuery } from './trend.ts';

type Findings = { score: Score; shares: ShareOfVoice[]; sources: Source[] };

/** Reads the results of the latest scored day through the public API. */
export async function readFindings(
  customer: ApiClient,
  params: { orgId: string; brandId: string },
): Promise<Findings | undefined> {
  const [score] = await customer.list(listScores, { params });
  if (score === undefined) return undefined;
  const day = { from: score.run_date, to: score.run_date };
  const shares = await customer.list(listShareOfVoice, { params, query: day });
  const sources = await customer.list(listSources, { params, query: day });
  return { score, shares, sources };
}

const percent = (value: number | null): string => (value === null ? 'no data' : `${value.toFixed(1)} %`);

/** Formats rows as a table with aligned columns. */
function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
}

export function describeFindings(brandName: string, { score, shares, sources }: Findings): string {
  const value = score.score === null ? 'no data' : score.score.toFixed(1);
  const low = percent(score.mention_rate_low);
  const high = percent(score.mention_rate_high);
  return [
    `${brandName} on ${score.run_date}: ${score.units_answered} answers measured`,
    ...table([
      ['Score', value],
      ['Mention rate', `${percent(score.mention_rate)} (95 %: ${low} to ${high})`],
      ['Share of voice', percent(score.share_of_voice)],
    ]),
    `  ${describeInformative(score)}`,
    '',
    'Share of voice',
    ...table(
      shares.map((row) => [
        `${row.rank}. ${row.name}${row.is_own ? ' (own)' : ''}`,
        percent(row.share_of_voice),
        `${row.mentions} mentions`,
      ]),
    ),
    '',
    'Top sources',
    ...table(
      sources.slice(0, 5).map((source) => [source.domain, source.category, `${source.citations} citations`]),
    ),
  ].join('\n');
}

export type Addresses = {
  baseUrl: string;
  operatorUrl: string;
  operatorToken: string;
  orgId: string;
  brandId: string;
  apiKey: string;
};

/** Complete commands that the user can run next. */
export function describeCommands(addresses: Addresses): string {
  const { baseUrl, operatorUrl, operatorToken, orgId, brandId, apiKey } = addresses;
  const get = (path: string): string => `curl -s -H 'Authorization: Bearer ${apiKey}' '${baseUrl}${path}'`;
  const brand = `/orgs/${orgId}/brands/${brandId}`;
  return [
    'Next commands:',
    get(`/orgs/${orgId}`),
    get(brand),
    get(`${brand}/scores?window=7d`),
    get(`${brand}/scores/compare?${new URLSearchParams(comparedQuery).toString()}`),
    get(`${brand}/mentions?limit=5`),
    get(`${brand}/sources`),
    `curl -s -X POST -H 'Authorization: Bearer ${apiKey}' '${baseUrl}${brand}/scan-requests'`,
    `curl -s -H 'Authorization: Bearer ${operatorToken}' '${operatorUrl}/orgs'`,
    `curl -s '${baseUrl.replace(/\/v1$/, '')}/openapi.json'   # or /docs in a browser`,
  ].join('\n  ');
}
