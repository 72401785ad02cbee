/** Gives a brand an alias and reads stored answers again with it. Requires a key with the scope `write`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BrandVisibilityClient, isApiError } from '@bv/sdk';
import { readSetting, readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());
const at = { orgId: readSetting('BV_ORG_ID'), brandId: readSetting('BV_BRAND_ID') };

const { aliases } = await client.getBrand(at);
const alias = readSetting('BV_ALIAS');
// The list replaces the stored one.
if (!aliases.includes(alias)) await client.updateBrand(at, { aliases: [...aliases, alias] });

/** Returns the id of a new job, or of the one that is in progress. */
async function reprocess(): Promise<string> {
  try {
    return (await client.reprocessBrand(at)).job_id;
  } catch (error) {
    const jobId = isApiError(error, 'reprocess_in_progress') ? error.details?.job_id : undefined;
    if (jobId === undefined) throw error;
    return jobId;
  }
}

const jobId = await reprocess();
let job = await client.getReprocess({ ...at, jobId });
while (job.status === 'queued' || job.status === 'running') {
  await sleep(2_000);
  job = await client.getReprocess({ ...at, jobId });
}
console.log(`${job.status}: ${job.units.changed} of ${job.units.done} answers changed`);
