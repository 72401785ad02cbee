import { Api } from './client.js';

const env = process.env as Record<string, string>;
const headers = { authorization: `Bearer ${env['BV_API_KEY']}` };
const api = new Api({ baseUrl: env['BV_PROXY_URL'] ?? '', baseApiParams: { headers } });
const at = [env['BV_ORG'] ?? '', env['BV_BRAND'] ?? ''] as const;
const { data: page } = await api.orgs.listMentions(...at, { limit: 1000 });
const { data: comparison } = await api.orgs.compareScores(...at);
console.log(JSON.stringify({ mentions: page.data.length, metric: comparison.data.metric }));
