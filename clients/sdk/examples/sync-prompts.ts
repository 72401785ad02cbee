/** Syncs the prompts of a brand with a list. Requires BV_BASE_URL, BV_API_KEY, BV_ORG_ID and BV_BRAND_ID. */
import { BrandVisibilityClient } from '@bv/sdk';
import { readSetting, readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());
const at = { orgId: readSetting('BV_ORG_ID'), brandId: readSetting('BV_BRAND_ID') };

const prompts = [
  { text: 'What is the best CRM for small teams?', countries: ['US', 'DE'], tags: ['crm'] },
  { text: 'Is Pipedrive better than HubSpot?', countries: ['US'], tags: ['comparison'] },
];

const { results, summary } = await client.syncPrompts(at, { prompts, deactivate_missing: true });
console.log(`${summary.created} created, ${summary.updated} updated, ${summary.deactivated} deactivated`);

// Failed rows do not fail the call: the other rows are applied.
for (const row of results) {
  if (row.action === 'failed') console.error(`"${row.text}": ${row.error?.code} ${row.error?.message}`);
}
if (summary.failed > 0) process.exitCode = 1;
