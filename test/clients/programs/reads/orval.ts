import { compareScores, listMentions } from './client.js';

const env = process.env as Record<string, string>;
const send = globalThis.fetch;
globalThis.fetch = (url) =>
  send(`${env['BV_PROXY_URL']}${String(url)}`, { headers: { authorization: `Bearer ${env['BV_API_KEY']}` } });
const at = [env['BV_ORG'] ?? '', env['BV_BRAND'] ?? ''] as const;
const page = await listMentions(...at, { limit: 1000 });
const comparison = await compareScores(...at);
if (page.status !== 200 || comparison.status !== 200) throw new Error(`${page.status} ${comparison.status}`);
console.log(JSON.stringify({ mentions: page.data.data.length, metric: comparison.data.data.metric }));
