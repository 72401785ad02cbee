import { client } from './client/client.gen.js';
import { compareScores, listMentions } from './client/sdk.gen.js';

const env = process.env as Record<string, string>;
const path = { orgId: env['BV_ORG'] ?? '', brandId: env['BV_BRAND'] ?? '' };
client.setConfig({ baseUrl: env['BV_PROXY_URL'] ?? '', auth: env['BV_API_KEY'] ?? '' });
const { data: page } = await listMentions({ path, query: { limit: 1000 }, throwOnError: true });
const { data: comparison } = await compareScores({ path, throwOnError: true });
console.log(JSON.stringify({ mentions: page.data.length, metric: comparison.data.metric }));
