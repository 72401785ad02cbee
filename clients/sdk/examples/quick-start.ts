/** Creates a brand with a prompt, scans it and prints the answers. Requires BV_BASE_URL and BV_API_KEY (scope `write`). */
import { BrandVisibilityClient, isApiError, type Organisation } from '@bv/sdk';
import { readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());

let org: Organisation | undefined;
// Take the first one. A partner's key may have access to hundreds.
for await (org of client.listOrgs()) break;
if (org === undefined) throw new Error('the key has access to no organisation');
console.log(`organisation ${org.name}`);

/** Safe to repeat: the `brand_exists` error has the id of the existing brand. */
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

/** Returns the id of a new scan, or of the one that is queued: it serves the same purpose. */
async function scan(): Promise<string> {
  try {
    return (await client.requestScan(at)).job_id;
  } catch (error) {
    const queued = isApiError(error, 'scan_already_queued') ? error.details?.job_id : undefined;
    if (queued === undefined || queued === null) throw error;
    return queued;
  }
}

const jobId = await scan();
console.log(`brand ${brandId}`);
console.log(`scan ${jobId}`);
const { status, units } = await client.waitForScan({ ...at, jobId }, { pollIntervalMs: 2_000 });
console.log(`${status}: ${units.answered} of ${units.total} answers`);

const { data: answers } = await client.listMentions({ ...at, limit: 10 }, { onStale: 'restart' }).page();
for (const { platform, mentioned, position } of answers) {
  console.log(`${platform}: ${mentioned ? `mentioned at position ${position}` : 'not mentioned'}`);
}
