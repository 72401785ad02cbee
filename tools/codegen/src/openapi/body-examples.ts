import { operatorBodyExamples } from '@bv/contract';

const competitors = [
  { name: 'HubSpot', domain: 'hubspot.com', aliases: ['Hub Spot'] },
  { name: 'Zoho', domain: 'zoho.com' },
];

/** An example body of each write. The generator validates each against its schema. */
export const bodyExamples: Record<string, unknown> = {
  updateLink: { external_ref: 'customer-42' },
  createProperty: {
    name: 'Acme',
    domain: 'acme.com',
    external_ref: 'property-1',
    aliases: ['Acme CRM'],
    match: { exclude: ['acme of perfection'] },
    markets: ['US', 'DE'],
    competitors,
  },
  updateBrand: { aliases: ['Acme CRM', 'Acme Cloud'], match: { case_sensitive: true } },
  linkCompetitor: competitors[0],
  createPrompt: { text: 'Which CRM is best for a small company?', countries: ['US'], tags: ['crm'] },
  syncPrompts: {
    prompts: [
      { text: 'Which CRM is best for a small company?', countries: ['US', 'DE'] },
      { text: 'What does a CRM cost?', countries: ['US'] },
    ],
  },
  updatePrompt: { active: false },
  reprocessBrand: { from: '2026-01-01', to: '2026-01-31' },
  createExperiment: {
    name: 'New product pages',
    starts_on: '2026-12-01',
    treated: { tags: ['product pages'] },
    control: { tags: ['unchanged'] },
  },
  createWebhookEndpoint: { url: 'https://hooks.example.com/brand-visibility', description: 'Production' },
  updateWebhookEndpoint: { description: 'Production, new cluster' },
  recoverDeliveries: { since: '2026-11-20T09:00:00.000Z' },
  createSubscription: { event_type: 'score.threshold_crossed', threshold: 50, direction: 'down' },
  ...operatorBodyExamples,
};
