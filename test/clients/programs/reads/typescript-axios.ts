import { Configuration, ResultsApi } from './client/index.js';

const env = process.env as Record<string, string>;
const at = [env['BV_ORG'] ?? '', env['BV_BRAND'] ?? ''] as const;
const settings = { basePath: env['BV_PROXY_URL'] ?? '', accessToken: env['BV_API_KEY'] ?? '' };
const api = new ResultsApi(new Configuration(settings));
const { data: page } = await api.listMentions(...at, 1000);
const { data: comparison } = await api.compareScores(...at);
console.log(JSON.stringify({ mentions: page.data.length, metric: comparison.data.metric }));
