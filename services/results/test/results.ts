import { expect } from '@jest/globals';
import { operatorImportResults } from '@bv/contract';
import {
  brandChanged,
  type EventData,
  findBrandRpc,
  findPromptRpc,
  jobChanged,
  marketsRpc,
  newestBrandsRpc,
  promptChanged,
  type RpcServer,
  type scanScored,
  serveRpc,
  unitFinalised,
} from '@bv/events';
import { publishedHeader, readPublished } from '@bv/http';
import { eventually, startService, type TestDatabase } from '@bv/testkit';
import type pg from 'pg';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Brand, brandData, type Job, type Prompt, promptData, type Unit } from './events.ts';

/** The service as in production, with a separate database and broker for each test file. */
export type Results = Awaited<ReturnType<typeof startResults>>;

type StartOptions = { now?: () => Date; env?: Record<string, string>; database?: TestDatabase };

/** Without `now`, the time is noon of the day after the day of most test data. */
export async function startResults({
  now = () => new Date('2026-11-21T12:00:00Z'),
  env = {},
  database,
}: StartOptions = {}) {
  const options = { env, deps: { now }, ...(database !== undefined && { database }) };
  const service = await startService({ name: 'results', readConfig, createApp }, options);
  const { emit, connection, log } = service;
  const stubs = new Set<RpcServer>();
  return {
    ...service,
    /** Starts the service again in this process, on the same stores. */
    startReplica: (overrides: Record<string, string> = {}) =>
      service.startReplica({ env: { ...env, ...overrides }, deps: { now } }),
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await service.sql.query<Row>(text, values)).rows,
    emitBrand: (brand: Brand, version = 1) => emit(brandChanged, brand.id, version, brand),
    emitPrompt: (prompt: Prompt) => emit(promptChanged, prompt.id, 1, prompt),
    emitUnit: (unit: Unit) => emit(unitFinalised, unit.unit_id, 1, unit),
    emitJob: (job: Job, version = 2) => emit(jobChanged, job.job_id, version, job),
    /** Serves the RPCs of a catalog with the markets DE and US, these brands and prompts. Returns its end. */
    serveCatalog: async (
      brands: readonly Brand[] = [],
      version: number | ((brand: Brand) => number) = 1,
      prompts: readonly Prompt[] = [],
    ): Promise<() => Promise<void>> => {
      const serving = { queue: 'catalog', log };
      const find = (id: string) => brands.find((brand) => brand.id === id);
      const servers = [
        serveRpc(connection, marketsRpc, async () => ['DE', 'US'], serving),
        serveRpc(
          connection,
          findBrandRpc,
          async ({ id }) => {
            const data = find(id);
            if (data === undefined) return null;
            return { version: typeof version === 'number' ? version : version(data), data };
          },
          serving,
        ),
        serveRpc(
          connection,
          findPromptRpc,
          async ({ id }) => {
            const data = prompts.find((prompt) => prompt.id === id);
            return data === undefined ? null : { version: 1, data };
          },
          serving,
        ),
        serveRpc(
          connection,
          newestBrandsRpc,
          async ({ org_id }) => brands.filter((brand) => brand.org_id === org_id).map(({ id }) => id),
          serving,
        ),
      ];
      for (const server of servers) stubs.add(server);
      await connection.connection.flush();
      return async () => {
        for (const server of servers) stubs.delete(server);
        await Promise.all(servers.map((server) => server.stop()));
      };
    },
    stop: async (): Promise<void> => {
      await Promise.all([...stubs].map((stub) => stub.stop()));
      await service.stop();
    },
  };
}

/** Waits until the service has handled these events. */
export const waitUntilHandled = (results: Results, ...events: readonly { id: string }[]): Promise<void> =>
  eventually(async () => {
    const ids = events.map(({ id }) => id);
    const handled = 'select 1 from inbox where event_id = any($1::uuid[])';
    expect(await results.query(handled, [ids])).toHaveLength(ids.length);
  });

/** Publishes catalog events and waits until they are projected: units and scans have another consumer. */
export async function addToCatalog(
  results: Results,
  { brands, prompts = [] }: { brands: readonly Brand[]; prompts?: readonly Prompt[] },
): Promise<void> {
  const events = [];
  for (const brand of brands) events.push(await results.emitBrand(brand));
  for (const prompt of prompts) events.push(await results.emitPrompt(prompt));
  await waitUntilHandled(results, ...events);
}

/** Adds an own brand with a prompt. */
export async function addBrand(results: Results) {
  const own = brandData();
  const prompt = promptData(own);
  await addToCatalog(results, { brands: [own], prompts: [prompt] });
  return { own, prompt };
}

/** Adds an own brand with a prompt and a competitor. */
export async function addBrandWithCompetitor(results: Results, domain = 'rival.com') {
  const competitor = brandData({ is_own: false, name: 'Rival', domain });
  const own = brandData({
    org_id: competitor.org_id,
    competitors: [{ id: competitor.id, name: 'Rival', domain }],
  });
  const prompt = promptData(own);
  await addToCatalog(results, { brands: [competitor, own], prompts: [prompt] });
  return { own, competitor, prompt };
}

/** A page of any list. */
export type ListResponse = Omit<Awaited<ReturnType<Results['call']>>, 'data'> & { data: readonly unknown[] };

/** The path parameters of operations on a brand. */
export const toBrandParams = (brand: Brand) => ({ orgId: brand.org_id, brandId: brand.id });

/** The path parameters of operations on a prompt. */
export const toPromptParams = (prompt: Prompt) => ({ orgId: prompt.org_id, promptId: prompt.id });

/** Waits until this many units of a brand are stored. */
export const waitForUnits = (results: Results, brand: Brand, count: number): Promise<void> =>
  eventually(async () =>
    expect(await results.query('select 1 from units where brand_id = $1', [brand.id])).toHaveLength(count),
  );

/** Data of the events that a scan is scored, by scan or by brand. */
export async function readScoredEvents(
  results: Results,
  { jobId = null, brandId = null }: { jobId?: string | null; brandId?: string | null },
) {
  const rows = await results.query<{ data: EventData<typeof scanScored> }>(
    `select envelope -> 'data' as data from outbox
     where type = 'results.scan.scored.v1' and ($1::text is null or aggregate_id = $1)
       and ($2::text is null or envelope #>> '{data,brand_id}' = $2)`,
    [jobId, brandId],
  );
  return rows.map(({ data }) => data);
}

/** Waits until a scan is scored. Returns the data of its event. */
export const waitUntilScored = (results: Results, jobId: string, options: { timeoutMs?: number } = {}) =>
  eventually(async () => {
    const events = await readScoredEvents(results, { jobId });
    expect(events).toHaveLength(1);
    return events[0]!;
  }, options);

/** Version of a brand's change token; 0 without results. */
export async function readTokenVersion(results: Results, brand: Brand): Promise<number> {
  const [row] = await results.query<{ version: string }>(
    'select version from brand_tokens where brand_id = $1',
    [brand.id],
  );
  return Number(row?.version ?? 0);
}

type Lines = readonly (object | string)[];

/** The body of an import. Text stays as it is. */
export const toNdjson = (lines: Lines): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

export function importUnits(results: Results, lines: Lines | Buffer | ReadableStream, query = '') {
  const body = Array.isArray(lines) ? toNdjson(lines) : lines;
  const headers = { 'content-type': 'application/x-ndjson' };
  return results.call(operatorImportResults, { body, query, headers });
}

/** The positions of the events that a response of the operator API names. */
export const readPublishedHeader = ({ headers }: { headers: Headers }) =>
  readPublished(headers.get(publishedHeader) ?? undefined);
