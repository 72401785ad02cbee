import { Configuration, ResultsApi } from './client/index.js';

const env = process.env as Record<string, string>;
const at = { orgId: env['BV_ORG'] ?? '', brandId: env['BV_BRAND'] ?? '' };
const settings = { basePath: env['BV_PROXY_URL'] ?? '', accessToken: env['BV_API_KEY'] ?? '' };
const api = new ResultsApi(new Configuration(settings));
const page = await api.listMentions({ ...at, limit: 1000 });
const comparison = await api.compareScores(at);
console.log(JSON.stringify({ mentions: page.data.length, metric: comparison.data.metric }));
