import { exampleIds } from '../example-ids.ts';

/** An example body of each write of the operator API, for its document and for the help of the command line. */
export const operatorBodyExamples: Record<string, unknown> = {
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
