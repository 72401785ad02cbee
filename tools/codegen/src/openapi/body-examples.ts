import { exampleIds } from '@bv/contract';

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
  createWebhookEndpoint: { url: 'https://hooks.example.com/brand-visibility', description: 'Production' },
  updateWebhookEndpoint: { description: 'Production, new cluster' },
  recoverDeliveries: { since: '2026-11-20T09:00:00.000Z' },
  createSubscription: { event_type: 'score.threshold_crossed', threshold: 50, direction: 'down' },
  operatorCreateOrg: { name: 'Acme', tier: 'growth', overrides: { prompts: 250 } },
  operatorUpdateOrg: { tier: 'scale' },
  operatorAddScanCredits: { amount: 10 },
  operatorCreateOrgKey: { name: 'Production', scopes: ['read', 'write'], per_minute: 120 },
  operatorCreatePartner: { name: 'Globex Agency' },
  operatorUpdatePartner: { status: 'suspended' },
  operatorCreatePartnerKey: { name: 'Production', scopes: ['read', 'write'], monthly_quota: 100_000 },
  operatorPutLink: { scope: 'read_write', external_ref: 'customer-42' },
  operatorReprocessBrands: { org_id: exampleIds.organisation },
  operatorImportResults: {
    unit_id: '0b6f6c2e-55d3-4a90-8f0b-5b1b9a1c7e11',
    brand_id: exampleIds.brand,
    prompt_id: exampleIds.prompt,
    platform: 'chatgpt',
    country: 'US',
    run_date: '2026-11-20',
    outcome: 'answered',
    answer_text: 'Acme and HubSpot are good choices.',
    brands: [{ brand_id: exampleIds.brand, position: 1, sentiment: 75 }],
    sources: [{ url: 'https://www.example.com/crm', title: 'CRM compared' }],
  },
  operatorDeleteBrandUnits: { from: '2026-11-01', to: '2026-11-20', import_only: true },
  operatorRepublishEvents: { since: '2026-11-20T09:00:00.000Z' },
};
