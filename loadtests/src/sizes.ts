import pg from 'pg';
import { measureBrands, measureKeys, measureOrgs, measurePrompts } from './sizes/organisations.ts';
import { measureCounters } from './sizes/redis.ts';
import { measureUnits } from './sizes/results.ts';
import type { StorageSize } from './sizes/measure-storage.ts';
import { measureScanUnits, measureUnitEvents } from './sizes/scans.ts';
import { measureMessages } from './sizes/stream.ts';
import { measureDeliveries } from './sizes/webhooks.ts';
import { startStorageTarget, stopOnSignals } from './target.ts';

/** Measures the bytes of each kind of record in the stores by the growth of the tables. Prints a Markdown table. */
const startedAt = performance.now();
const report = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}\n`);
};
const target = await startStorageTarget(report);
const sql = new pg.Pool({ connectionString: target.postgresUrl, max: 2 });

/** Runs the measurements in sequence, so that only one makes the tables grow. */
async function measureAll(): Promise<StorageSize[]> {
  report('organisations');
  const orgs = await measureOrgs(target, sql);
  report('keys');
  const keys = await measureKeys(target, sql, orgs.ids);
  report('brands');
  const { brands, sizes } = await measureBrands(sql, keys.created);
  report('prompts');
  const prompts = await measurePrompts(sql, brands.slice(0, 10));
  report('units of scans');
  const scanned = await measureScanUnits(target, sql, brands.slice(0, 6));
  report('deliveries');
  const deliveries = await measureDeliveries(target, sql, brands.slice(10, 360));
  report('events of units');
  const events = await measureUnitEvents(sql);
  const messages = await measureMessages(target, sql);
  report('units');
  const units = await measureUnits(target, sql);
  const counters = await measureCounters(target);
  return [
    orgs.sizes,
    keys.sizes,
    sizes,
    prompts,
    scanned,
    events,
    deliveries,
    messages,
    units,
    counters,
  ].flat();
}

function toTable(sizes: readonly StorageSize[]): string {
  const rows = sizes.map(
    ({ what, bytes, parts, keptFor }) => `| ${what} | ${bytes.toFixed(0)} | ${parts} | ${keptFor} |`,
  );
  return ['| Record | Bytes each | Parts | Kept for |', '| --- | ---: | --- | --- |', ...rows].join('\n');
}

stopOnSignals(target);
// Postgres closes idle connections when it stops.
sql.on('error', () => undefined);
try {
  process.stdout.write(`${toTable(await measureAll())}\n`);
  report('done');
} finally {
  await sql.end();
  await target.stop();
}
process.exit();
