import { createPrompt, createProperty, listBrands, listPrompts, promptIdentity } from '@bv/contract';
import type { Reporter } from '../reporter.ts';
import type { ApiClient } from './api-client.ts';

const property = {
  name: 'Pipedrive',
  domain: 'pipedrive.com',
  external_ref: 'demo-brand',
  markets: ['US', 'DE'],
  competitors: [
    { name: 'HubSpot', domain: 'hubspot.com' },
    { name: 'Salesforce', domain: 'salesforce.com' },
    { name: 'Zoho CRM', domain: 'zoho.com' },
  ],
};

/** A comparison needs at least five prompts. */
const prompts = [
  { text: 'What is the best CRM for a small sales team?', countries: ['US', 'DE'] },
  { text: 'Which CRM is easiest to learn for people new to sales?', countries: ['US'] },
  { text: 'Which CRM has the clearest reports for a head of sales?', countries: ['US'] },
  { text: 'Welches CRM eignet sich für kleine Vertriebsteams?', countries: ['DE'] },
  { text: 'Welches CRM ist günstig und leicht zu bedienen?', countries: ['DE'] },
];

/** Creates the demo's brand, competitors and prompts, except for those that exist. */
export async function prepareBrand(
  customer: ApiClient,
  orgId: string,
  report: Reporter,
): Promise<{ brandId: string; name: string }> {
  const own = await customer.list(listBrands, { params: { orgId }, query: { is_own: 'true' } });
  const existing = own.find(({ domain }) => domain === property.domain);
  const brand = existing ?? (await customer.item(createProperty, { params: { orgId }, body: property }));
  const tracked = await customer.list(listPrompts, { params: { orgId }, query: { brand_id: brand.id } });
  const existingTexts = new Set(tracked.map(({ text }) => promptIdentity(text)));
  for (const prompt of prompts) {
    if (existingTexts.has(promptIdentity(prompt.text))) continue;
    await customer.item(createPrompt, { params: { orgId, brandId: brand.id }, body: prompt });
  }
  const state = existing === undefined ? 'created' : 'exists';
  report(
    `demo: brand ${property.name} ${state} with ${property.competitors.length} competitors, ${prompts.length} prompts`,
  );
  return { brandId: brand.id, name: brand.name };
}
