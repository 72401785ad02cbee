/**
 * Asks the MCP server how the first brand did in the last week, with the official client. Requires BV_BASE_URL and
 * BV_API_KEY, and `npm install @modelcontextprotocol/client`.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readSetting } from './config.ts';

type Named = { id: string; name: string };
type Organisations = { organisations: Named[] };
type Brands = { brands: Named[] };
type Overview = {
  summary: string;
  share_of_voice: { name: string; last_week: number | null; change: number | null }[];
  known_limits: string[];
};

/** `auto` uses protocol version 2026-07-28, without a handshake. The default is a version of 2025. */
const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const headers = { authorization: `Bearer ${readSetting('BV_API_KEY')}` };
const url = new URL('/mcp', readSetting('BV_BASE_URL'));
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

/** The types above are those of the tools' output schemas, as `client.listTools()` returns them. */
async function call<Result>(name: string, args: Record<string, string> = {}): Promise<Result> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError === true) throw new Error(content.map((part) => ('text' in part ? part.text : '')).join('\n'));
  return structuredContent as Result;
}

const [org] = (await call<Organisations>('list_organisations')).organisations;
if (org === undefined) throw new Error('the key has access to no organisation');
const [brand] = (await call<Brands>('list_brands', { org_id: org.id })).brands;
if (brand === undefined) throw new Error(`${org.name} has no brand`);

const week = await call<Overview>('brand_overview', { org_id: org.id, brand_id: brand.id });
console.log(`${brand.name}. ${week.summary}`);
for (const { name, last_week: share, change } of week.share_of_voice) {
  console.log(`${name} ${share ?? '-'} % (change ${change ?? '-'})`);
}
for (const limit of week.known_limits) console.log(`- ${limit}`);
await client.close();
