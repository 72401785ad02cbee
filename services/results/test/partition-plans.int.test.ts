import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import {
  compareScores,
  getCoverage,
  listBrandSummaries,
  listDiscoveredBrands,
  listMentions,
  listPromptResults,
  listScores,
  listShareOfVoice,
  operatorCountBrandUnits,
  operatorDeleteBrandUnits,
} from '@bv/contract';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { isDayScored } from '../src/db/cell-days.ts';
import { forgetNames } from '../src/db/name-days.ts';
import { listBrandsToJudge, listMergedDays, listNamesToJudge } from '../src/db/name-judgements.ts';
import { listMeasuredPrompts } from '../src/db/prompts.ts';
import { measurePlatforms } from '../src/commands/measure-platforms.ts';
import { readArmPeriods } from '../src/db/arm-periods.ts';
import { createServicePool } from './check-windows.ts';
import { importLine, jobData } from './events.ts';
import { explainStatement } from './explain-plan.ts';
import {
  addTrackedBrands,
  importLines,
  readFigures,
  reprocess,
  storeUnits,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults, toBrandParams, toPromptParams, waitUntilHandled } from './results.ts';
import { endRetention, serveOrgs } from './retention.ts';

type Statement = { name?: string; text: string; values: unknown[] };

let results: Results;
let client: pg.Client;
/** The statements that the service has sent, by their name, or by their text if they are planned at each run. */
const statements = new Map<string, Statement>();
// oxlint-disable-next-line typescript/unbound-method -- called with its client
const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;

const isStatement = (sent: unknown): sent is Statement =>
  typeof sent === 'object' && sent !== null && 'text' in sent && 'values' in sent;

beforeAll(async () => {
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [sent] = args;
    if (isStatement(sent) && sent.text.length > 0) statements.set(sent.name ?? sent.text, sent);
    return send.apply(this, args);
  } as typeof pg.Client.prototype.query;
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  client = new pg.Client({ connectionString: results.database.url });
  await client.connect();
  await useEverything();
}, 120_000);
afterAll(async () => {
  pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
  await client.end();
  await results.stop();
});

const source = (domain: string) => ({
  position: 1,
  url: `https://${domain}/`,
  domain,
  title: null,
  cited: true,
});

/** Runs every statement on the partitioned tables, for one brand. */
async function useEverything(): Promise<void> {
  const tracked = await addTrackedBrands(results);
  const { own, prompt } = tracked;
  const days = ['2026-11-09', '2026-11-10', '2026-11-18', '2026-11-19', '2026-11-20'];
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) =>
      ['acme.com', 'x.org'].map((domain) =>
        unreadUnit(tracked, { run_date, answer_text: 'Acme is good.', sources: [source(domain)] }),
      ),
    ),
  );
  // An ended scan that waits for its unit.
  const waiting = await results.emitJob(jobData(own, randomUUID()));
  await waitUntilHandled(results, waiting);
  // The second job replaces nothing.
  await reprocess(results, own);
  await reprocess(results, own);
  await importLines(results, tracked, [
    importLine(prompt, { sources: [{ url: 'https://y.org/', cited: true }] }),
    importLine(prompt, { run_date: '2026-11-20' }),
  ]);
  await readFigures(results, tracked).catch((error: unknown) => {
    // The mark of the waiting scan.
    expect(String(error)).toContain('scan_in_progress');
  });
  await results.query('update brand_tokens set finalising_until = null');
  await readFigures(results, tracked);
  const params = toBrandParams(own);
  const later = async (list: (query: string) => Promise<{ pagination: { next_cursor: string | null } }>) => {
    const { pagination } = await list('limit=1&country=US');
    await list(`limit=1&cursor=${pagination.next_cursor}`);
  };
  await later((query) => results.call(listMentions, { params, query }));
  await later((query) => results.call(listPromptResults, { params: toPromptParams(prompt), query }));
  await later((query) => results.call(listShareOfVoice, { params, query }));
  await results.call(listScores, { params, query: 'window=7d' });
  const dates = 'from_a=2026-11-09&to_a=2026-11-10&from_b=2026-11-18&to_b=2026-11-20';
  await results.call(compareScores, { params, query: dates });
  await results.call(compareScores, { params, query: dates });
  await results.call(listBrandSummaries, { params });
  await results.call(listDiscoveredBrands, { params });
  for (const subject of ['brands', 'domains', 'pages'])
    await results.call(getCoverage, { params, query: `subject=${subject}` });
  const operated = { brandId: own.id };
  await results.call(operatorCountBrandUnits, { params: operated, query: 'from=2026-11-01&to=2026-11-20' });
  await results.call(operatorDeleteBrandUnits, {
    params: operated,
    body: { from: '2026-11-19', to: '2026-11-20', import_only: true },
  });
  const orgs = await serveOrgs(results);
  await endRetention(results, { unitDays: 11, answerTextDays: 10 });
  await orgs.stop();
  const pool = createServicePool(results);
  // None of the days before is measured yet.
  const now = () => new Date('2026-12-24T12:00:00Z');
  await measurePlatforms({ pool, now }, new AbortController().signal);
  const all = { platforms: null, countries: null, metric: 'score' as const };
  const periods = { starts: ['2026-11-18', '2026-11-20'], to: '2026-11-20' };
  await readArmPeriods(pool, { brandId: own.id, promptIds: [prompt.id], ...all }, periods).next();
  await listBrandsToJudge(pool, { today: '2026-12-24', from: '2026-11-18', limit: 1 });
  await listNamesToJudge(pool, own.id, '2026-11-18');
  await listMergedDays(pool, own.id, '2026-11-18');
  await listMeasuredPrompts(pool, own.id, { from: '2026-11-18', to: '2026-11-20' });
  await isDayScored(pool, own.id, '2026-11-18');
  await forgetNames(pool, own.id, '2026-11-18');
  await pool.end();
}

const tables =
  /\b(?:units|unit_brands|unit_sources|source_days|source_pages|answered_days|cell_days|name_days|share_of_voice|scores|window_scores)\b/;

test('every statement on a partitioned table of the read path and the ingest path is tried here', async () => {
  const dir = new URL('../src/db/', import.meta.url);
  const named: string[] = [];
  for (const file of await readdir(dir)) {
    if (!file.endsWith('.ts') || file.startsWith('partition')) continue;
    const text = await readFile(new URL(file, dir), 'utf8');
    for (const [, name = '', body = ''] of text.matchAll(/name: '(results\.\w+)',(.*?)(?:name: '|$)/gs)) {
      // COPY has no plan.
      if (/^\s*table:/.test(body)) continue;
      const isPrepared = !body.slice(0, 200).includes('prepare: false');
      if (isPrepared && tables.test(body.slice(0, body.indexOf('values: [')))) named.push(name);
    }
  }
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !statements.has(name))).toEqual([]);
});

test('every partitioned table can be distributed', async () => {
  const script = await readFile(new URL('../citus.sql', import.meta.url), 'utf8');
  const names = await results.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = 'results'::regnamespace`,
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(({ name }) => !script.includes(`'${name}'`))).toEqual([]);
});

test.each(['force_custom_plan', 'force_generic_plan'])(
  'every statement on a partitioned table (%s) reads one partition of it, that of the brand',
  async (mode) => {
    const tried: string[] = [];
    for (const [name, statement] of statements) {
      if (!/^\s*(?:select|insert|update|delete|with)\b/.test(statement.text)) continue;
      if (!tables.test(statement.text) || /partition|pg_/.test(statement.text)) continue;
      await client.query('begin');
      // After the insertion of a `with`.
      const [, inserted, rest] = /^.*\binsert into (\w+)(.*)$/s.exec(statement.text) ?? [];
      if (inserted !== undefined && !rest?.includes('on conflict')) {
        await client.query(`delete from ${inserted}`);
      }
      const nodes = await explainStatement(client, statement, mode);
      await client.query('rollback');
      const read = nodes.filter((node) => node.partition !== undefined && node['Actual Loops'] > 0);
      const partitions = Map.groupBy(read, (node) => node['Relation Name']);
      for (const [table, scans] of partitions) {
        const names = new Set(scans.map(({ partition }) => partition));
        expect([name, table, names.size]).toEqual([name, table, 1]);
      }
      if (partitions.size > 0) tried.push(name);
    }
    expect(tried.length).toBeGreaterThan(35);
  },
);
