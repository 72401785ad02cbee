import { setTimeout as delay } from 'node:timers/promises';
import { defaultMatchRules, reprocessBrand } from '@bv/contract';
import { brandChanged, type EventData } from '@bv/events';
import { forceOption, createSampler, maxOtherShare, readBenchOptions } from '@bv/measure';
import { createPool, type Pool } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import { createOperationClient, openServiceStores } from '@bv/testkit';
import { readMetric, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { orgId } from './generate.ts';
import { addedAlias, brands, secondAlias } from './reprocess-answers.ts';
import {
  compareLatencies,
  joinLatencies,
  type Latencies,
  readAtRate,
  watchSlices,
} from './reprocess-reads.ts';
import { ownId, seedYear } from './reprocess-seed.ts';
import { type ServiceAddresses, startService } from './service.ts';

/**
 * Reads the stored answers of a year again after an alias is added. They are stored as by an earlier release, without
 * evidence, so the job writes every row. A second run adds another alias, and writes only the answers with it. Clients
 * read at a fixed rate before and meanwhile. Reads that other load disturbed do not count. Fails if reads become too slow, or if the memory of the service grows too
 * much.
 */
const options = readBenchOptions('reprocess', {
  units: { default: '100000', description: 'stored answers, spread over a year' },
  rate: { default: '10', description: 'reads per second' },
  seconds: { default: '60', description: 'duration of the reads before the first run' },
  runs: { default: '1', description: '1, or 2 with a second alias' },
  force: forceOption,
});
const units = Number(options.units);
const perSecond = Number(options.rate);
const quietSamples = Math.ceil(Number(options.seconds) / 10);
const sampleMs = 10_000;
/** The thread that reads answers takes most of the memory, however many answers there are. */
const targets = { p95Ratio: 1.5, memoryGrowthMb: 300 };
const today = new Date().toISOString().slice(0, 10);
const firstDay = new Date(Date.parse(today) - 365 * 86_400_000).toISOString().slice(0, 10);
const mb = 1_048_576;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
/** Printed at the end. */
const figures: string[] = [];
const addFigure = (line: string): number => figures.push(line);

type Stores = Awaited<ReturnType<typeof openServiceStores>>;
type Run = { stores: Stores; pool: Pool; service: ServiceAddresses };

/** Publishes the brands as the catalog does, the own brand with these aliases, and waits until they are stored. */
async function publishBrands({ stores, pool }: Omit<Run, 'service'>, version: number, aliases: string[]) {
  const at = new Date().toISOString();
  const competitors = brands
    .filter(({ isOwn }) => !isOwn)
    .map(({ id, name, domain }) => ({ id, name, domain, aliases: [] }));
  for (const { id, name, domain, isOwn } of brands) {
    const data: EventData<typeof brandChanged> = {
      id,
      org_id: orgId,
      name,
      domain,
      aliases: isOwn ? aliases : [],
      match: defaultMatchRules,
      is_own: isOwn,
      external_ref: null,
      geography: 'global',
      sunset_at: null,
      created_at: at,
      updated_at: at,
      competitors: isOwn ? competitors : [],
    };
    await stores.emit(brandChanged, id, version, data);
  }
  for (;;) {
    const { rows } = await pool.query('select 1 from brands where version = $1', [version]);
    if (rows.length === brands.length) return;
    await delay(100);
  }
}

/** Calls `read` every few milliseconds until the signal, and returns the maximum. */
async function watchMaximum(signal: AbortSignal, everyMs: number, read: () => Promise<number>) {
  let max = 0;
  while (!signal.aborted) {
    max = Math.max(max, await read());
    await delay(everyMs);
  }
  return max;
}

const readResident = ({ service }: Run): Promise<number> =>
  readMetric(service.monitoring, 'process_resident_memory_bytes');

/** Milliseconds of the longest transaction that is open now. */
async function readOpenTransaction({ pool }: Run): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as ms
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.ms ?? 0;
}

type Job = { status: string; done: number; changed: number; ms: number };

async function waitForJob({ pool }: Run, jobId: string): Promise<Job> {
  for (let polls = 1; ; polls += 1) {
    const { rows } = await pool.query<Job>(
      `select status, units_done as done, units_changed as changed,
         extract(epoch from coalesce(completed_at, now()) - started_at)::float8 * 1000 as ms
       from reprocess_jobs where id = $1`,
      [jobId],
    );
    const [job] = rows;
    if (job?.status === 'completed') return job;
    if (job?.status === 'failed') throw new Error('the reprocess job failed');
    if (polls % 20 === 0) report(`reprocess: ${job?.done ?? 0} of ${units} answers`);
    await delay(500);
  }
}

/** Adds an alias and reads every answer again, while clients read. */
async function reprocess(run: Run, version: number, aliases: string[], quiet: Latencies): Promise<boolean> {
  await publishBrands(run, version, aliases);
  const memoryBefore = await readResident(run);
  const ended = new AbortController();
  const { signal } = ended;
  const stopWatching = watchSlices(options.force);
  const runJob = async (): Promise<Job> => {
    const { data } = await createOperationClient(run.service.base)(reprocessBrand, {
      params: { orgId, brandId: ownId },
      body: { from: firstDay, to: today },
    });
    return waitForJob(run, data.job_id);
  };
  const [job, memory, transactionMs, busy] = await Promise.all([
    runJob().finally(() => ended.abort()),
    watchMaximum(signal, 1_000, () => readResident(run)),
    watchMaximum(signal, 10, () => readOpenTransaction(run)),
    readAtRate(run.service.base, { today, perSecond, signal }),
  ]);
  const compared = compareLatencies(quiet, stopWatching()(busy));
  const growth = (memory - memoryBefore) / mb;
  addFigure(
    `${aliases.join(', ')}: ${job.done} answers, ${((job.done * 1_000) / job.ms).toFixed(0)} per second, ${job.changed} changed; peak resident memory ${(memory / mb).toFixed(0)} MB, ${growth.toFixed(0)} MB more than before (at most ${targets.memoryGrowthMb}); longest transaction ${transactionMs.toFixed(0)} ms`,
  );
  for (const { name, p50, p95, reads: count } of compared) {
    addFigure(
      `  ${name}: p50 ${p50.before.toFixed(1)} ms before, ${p50.meanwhile.toFixed(1)} meanwhile (${(p50.meanwhile / p50.before).toFixed(2)} times); p95 ${p95.before.toFixed(1)} before, ${p95.meanwhile.toFixed(1)} meanwhile (${(p95.meanwhile / p95.before).toFixed(2)} times) of ${count} reads`,
    );
  }
  if (job.done !== units) throw new Error(`the job read ${job.done} of ${units} answers`);
  return (
    growth <= targets.memoryGrowthMb &&
    compared.every(({ p95 }) => p95.meanwhile <= p95.before * targets.p95Ratio)
  );
}

/** The reads without a job, after a sample to warm up. */
async function readQuietly({ base }: ServiceAddresses): Promise<Latencies> {
  const read = () => readAtRate(base, { today, perSecond, signal: AbortSignal.timeout(sampleMs) });
  const sampler = createSampler({ maxOtherShare, maxRetries: 60, force: options.force, report });
  await read();
  const samples: Latencies[] = [];
  while (samples.length < quietSamples) samples.push(await sampler.sample('reads before', read));
  return joinLatencies(samples);
}

async function measure(stores: Stores): Promise<void> {
  const { database, nats, log } = stores;
  await waitForDisk(database.adminUrl);
  const pool = createPool({
    connectionString: database.url,
    applicationName: 'bench',
    log,
    metrics: createMetrics('bench'),
    statementTimeoutMs: 600_000,
  });
  const service = await startService(database.url, nats.url);
  const run = { stores, pool, service };
  await publishBrands(run, 1, []);
  report('storing a year of answers');
  await seedYear(pool, { units, today });
  const quiet = await readQuietly(service);
  const outcomes: boolean[] = [];
  const aliases = [addedAlias, secondAlias].slice(0, Number(options.runs));
  for (const index of aliases.keys()) {
    outcomes.push(await reprocess(run, index + 2, aliases.slice(0, index + 1), quiet));
  }
  await pool.end();
  const met = outcomes.every(Boolean);
  addFigure(`p95 at most ${targets.p95Ratio} times, and memory: ${met ? 'met' : 'MISSED'}`);
  process.stdout.write(`${figures.join('\n')}\n`);
  if (!met) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
}
try {
  await startDataStores();
  const stores = await openServiceStores({ name: 'results', readConfig, createApp });
  try {
    await measure(stores);
  } finally {
    await stopChildren({ keepDataStores: true });
    await stores.stop();
  }
} finally {
  await stopChildren();
}
