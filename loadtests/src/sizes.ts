import pg from 'pg';
import { weighBrands, weighKeys, weighOrgs, weighPrompts } from './sizes/customers.ts';
import { weighCounters } from './sizes/redis.ts';
import { weighUnits } from './sizes/results.ts';
import type { Weighed } from './sizes/scales.ts';
import { weighScanUnits, weighUnitEvents } from './sizes/scans.ts';
import { weighMessages } from './sizes/stream.ts';
import { weighDeliveries } from './sizes/webhooks.ts';
import { startMeasured, stopOnSignals } from './target.ts';

/** What things weigh in the stores, by loading many and taking what was there before away. Ends with a Markdown table. */
const startedAt = performance.now();
const say = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}\n`);
};
const target = await startMeasured(say);
const sql = new pg.Pool({ connectionString: target.postgresUrl, max: 2 });

/** One after the other: each is the only one that makes its tables grow. */
async function weighAll(): Promise<Weighed[]> {
  say('organisations');
  const orgs = await weighOrgs(target, sql);
  say('keys');
  const keys = await weighKeys(target, sql, orgs.ids);
  say('brands');
  const { brands, weighed } = await weighBrands(sql, keys.made);
  say('prompts');
  const prompts = await weighPrompts(sql, brands.slice(0, 10));
  say('units of scans');
  const scanned = await weighScanUnits(target, sql, brands.slice(0, 6));
  say('deliveries');
  const deliveries = await weighDeliveries(target, sql, brands.slice(10, 360));
  say('events of units');
  const events = await weighUnitEvents(sql);
  const messages = await weighMessages(target, sql);
  say('units');
  const units = await weighUnits(target, sql);
  const counters = await weighCounters(target);
  return [
    orgs.weighed,
    keys.weighed,
    weighed,
    prompts,
    scanned,
    events,
    deliveries,
    messages,
    units,
    counters,
  ].flat();
}

function tableOf(weighed: readonly Weighed[]): string {
  const rows = weighed.map(
    ({ what, bytes, parts, keptFor }) => `| ${what} | ${bytes.toFixed(0)} | ${parts} | ${keptFor} |`,
  );
  return ['| What | Bytes each | Of which | Kept for |', '| --- | ---: | --- | --- |', ...rows].join('\n');
}

stopOnSignals(target);
// Stopped, Postgres ends the connections that wait here.
sql.on('error', () => undefined);
try {
  process.stdout.write(`${tableOf(await weighAll())}\n`);
  say('done');
} finally {
  await sql.end();
  await target.stop();
}
process.exit();
