/** What the document of the public API states in addition to its operations. */
import { type Operation, operations } from '@bv/contract';
import type { Api } from './document.ts';
import { allPublicCodes, commonRefusals } from './error-codes.ts';
import { webhooks } from './webhooks.ts';

const tags = [
  { name: 'Organisations', description: 'Organisations that a key can access, and their use of the tier.' },
  { name: 'Brands', description: 'Own brands, their competitors and summaries.' },
  { name: 'Prompts', description: 'Questions that are put to the AI platforms.' },
  {
    name: 'Results',
    description: 'Measurements: mentions, scores, share of voice, sources, and how they are measured.',
  },
  { name: 'Scans', description: 'Measurements on demand.' },
  { name: 'Webhooks', description: 'Endpoints, subscriptions and deliveries; partner keys only.' },
] as const;

function getTag({ id, service, path }: Operation): (typeof tags)[number]['name'] {
  if (service === 'webhooks') return 'Webhooks';
  if (id === 'getMethodology') return 'Results';
  if (service === 'scans') return 'Scans';
  if (id === 'listBrandSummaries') return 'Brands';
  if (service === 'results') return 'Results';
  if (/prompts/.test(path)) return 'Prompts';
  return /brands|properties/.test(path) ? 'Brands' : 'Organisations';
}

const description = [
  'How AI platforms mention a brand: measurements per market, writes and webhooks.',
  'Times are ISO 8601 in UTC, dates are YYYY-MM-DD in UTC. Rates, scores and sentiments are 0 to 100. null means no data; 0 means measured and absent.',
  commonRefusals(),
].join('\n\n');

export const publicApi: Api = {
  name: 'public',
  title: 'Brand Visibility Data API',
  description,
  server: {
    url: 'https://{host}/v1',
    description: 'The gateway of your installation.',
    variables: { host: { default: 'api.example.com', description: 'Host name of the gateway.' } },
  },
  security: { apiKey: 'An API key: `Authorization: Bearer <API_KEY>`.' },
  tags,
  getTag,
  operations,
  codes: allPublicCodes(operations),
  webhooks,
};
