/** Prints the mention rate of each window of seven days, and whether the last week differs from the one before. */
import { BrandVisibilityClient } from '@bv/sdk';
import { readSetting, readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());
const at = { orgId: readSetting('BV_ORG_ID'), brandId: readSetting('BV_BRAND_ID') };

for (const row of await client.listScores({ ...at, window: '7d' }).all()) {
  const bounds = `${row.mention_rate_low} to ${row.mention_rate_high}`;
  console.log(`${row.run_date} ${row.mention_rate} % (${bounds}), ${row.units_answered} answers`);
}

const { a, b, difference, verdict, reasons } = await client.compareScores({ ...at, metric: 'mention_rate' });
// Below two prompts with answers in both windows there is no difference.
const points = difference === null ? '' : `: ${difference.value} (${difference.low} to ${difference.high})`;
console.log(`${verdict}${points}, ${b.from} to ${b.to} after ${a.from} to ${a.to}`);
// Also a verdict of `up` or `down` can have reasons for care.
for (const reason of reasons) console.log(`reason ${reason}`);
