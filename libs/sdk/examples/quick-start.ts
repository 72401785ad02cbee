/** From a key to a brand with prompts and a scan. Needs BV_BASE_URL and BV_API_KEY (scope `write`). */
import { BrandVisibilityClient, isApiError, type Organisation } from '@bv/sdk';
import { readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());

let org: Organisation | undefined;
// The first will do: a partner's key may reach hundreds.
for await (org of client.listOrgs()) break;
if (org === undefined) throw new Error('the key reaches no organisation');
console.log(`organisation ${org.name}`);

/** Provisioning twice is no accident here: what exists is found by the refusal. */
async function provision(orgId: string): Promise<string> {
  try {
    const property = await client.createProperty(
      { orgId },
      {
        name: 'Pipedrive',
        domain: 'pipedrive.com',
        competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
      },
    );
    return property.id;
  } catch (error) {
    const existing = isApiError(error, 'brand_exists') ? error.details?.existing_id : undefined;
    if (existing === undefined) throw error;
    return existing;
  }
}

const brandId = await provision(org.id);
const at = { orgId: org.id, brandId };
try {
  await client.createPrompt(at, { text: 'What is the best CRM for small teams?', countries: ['US'] });
} catch (error) {
  if (!isApiError(error, 'conflict')) throw error;
}

let jobId: string | null;
try {
  jobId = (await client.requestScan(at)).job_id;
} catch (error) {
  // A scan of today that is already queued is as good as ours.
  if (!isApiError(error, 'scan_already_queued')) throw error;
  jobId = error.details?.job_id ?? null;
}
console.log(`brand ${brandId}`);
console.log(`scan ${jobId}`);
