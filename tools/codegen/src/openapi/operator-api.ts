/** What the document of the operator API states in addition to its operations. */
import { type Operation, operatorOperations } from '@bv/contract';
import type { Api } from './document.ts';
import { listCodes, sortCodes } from './error-codes.ts';

const tags = [
  { name: 'Organisations', description: 'Organisations, their tiers and scan credits.' },
  { name: 'Partners', description: 'Partner accounts and their links to organisations.' },
  { name: 'Keys', description: 'API keys and their use.' },
  { name: 'Brands', description: 'Brands, prompts, scans and stored results.' },
  { name: 'Webhooks', description: 'Webhook endpoints of partners, deliveries and events.' },
  { name: 'Events', description: 'Dead-letter events and the outbox.' },
  { name: 'Status', description: 'Services, their migrations and backlogs.' },
] as const;

function getTag({ path }: Operation): (typeof tags)[number]['name'] {
  if (/keys|usage/.test(path)) return 'Keys';
  if (path === '/status') return 'Status';
  if (/^\/(webhook|deliveries)/.test(path)) return 'Webhooks';
  if (/\/(brands|prompts)/.test(path)) return 'Brands';
  if (path.endsWith('/links') || path.startsWith('/partners')) return 'Partners';
  if (/^\/(orgs|tiers)/.test(path)) return 'Organisations';
  return path.includes('events') ? 'Events' : 'Brands';
}

const description = [
  'Administration of an installation. The second listener of the gateway serves it, which no ingress may expose.',
  'A change is answered when every service has applied it, so that the next request of the public API sees it.',
  'Times are ISO 8601 in UTC, dates are YYYY-MM-DD in UTC.',
].join(' ');

export const operatorApi: Api = {
  name: 'operator',
  title: 'Brand Visibility Data API: operator API',
  description,
  server: {
    url: 'http://{host}/operator/v1',
    description: 'The operator listener of the gateway.',
    variables: {
      host: { default: 'localhost:8090', description: 'Host name and port of the operator listener.' },
    },
  },
  security: { operatorToken: 'The operator token: `Authorization: Bearer <OPERATOR_TOKEN>`.' },
  tags,
  getTag,
  operations: operatorOperations,
  codes: sortCodes(operatorOperations.flatMap(listCodes)),
};
