import { createPrompt, createProperty, operatorCreateOrg } from '@bv/contract';
import { publishedHeader, readPublished } from '@bv/http';
import { startService } from '@bv/testkit';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** The service as in production, with a separate database and broker for each test file. */
export type Catalog = Awaited<ReturnType<typeof startCatalog>>;

export async function startCatalog(deps: { now?: () => Date } = {}) {
  const service = await startService({ name: 'catalog', readConfig, createApp }, { deps });
  return {
    ...service,
    /** Creates an organisation and returns its id. */
    addOrg: async (tier = 'growth', overrides: object = {}): Promise<string> => {
      const body = { name: 'Acme', tier, overrides };
      return (await service.call(operatorCreateOrg, { body })).data.id;
    },
  };
}

let serial = 0;
/** Returns a host that no other brand uses. */
export const newHost = (): string => `brand-${(serial += 1)}-${process.pid}.com`;

export async function addBrand({ call }: Catalog, orgId: string, fields: object = {}) {
  const body = { name: 'Acme Tools', domain: newHost(), ...fields };
  return (await call(createProperty, { params: { orgId }, body })).data;
}

/** An own brand, as the parameters of an operation on it. */
export type OwnBrand = { orgId: string; brandId: string };

export async function addOrgWithBrand(
  catalog: Catalog,
  tier = 'growth',
  overrides: object = {},
): Promise<OwnBrand> {
  const orgId = await catalog.addOrg(tier, overrides);
  return { orgId, brandId: (await addBrand(catalog, orgId)).id };
}

export async function addPrompt({ call }: Catalog, brand: OwnBrand, fields: object = {}) {
  const body = { text: `What is the best tool ${(serial += 1)}?`, countries: ['US'], ...fields };
  return (await call(createPrompt, { params: brand, body })).data;
}

/**
 * Holds the lock of the brand's prompt writes, as the short writes of another process would, or with `stalled` as one
 * transaction that does not end. Returns the release.
 */
export async function holdPromptLock(
  { sql }: Catalog,
  { brandId }: OwnBrand,
  { stalled = false } = {},
): Promise<() => Promise<void>> {
  const holder = await sql.connect();
  if (stalled) await holder.query('begin');
  const key = `hashtextextended('prompt-writer:' || $1, 0)`;
  await holder.query(`select pg_advisory_lock(${key})`, [brandId]);
  return async () => {
    await holder.query(`select pg_advisory_unlock(${key})`, [brandId]);
    if (stalled) await holder.query('rollback');
    holder.release();
  };
}

/** Counts the statements that match `statement` and wait for a lock in the database of the test file. */
export async function countLockWaiters({ sql }: Catalog, statement = '%'): Promise<number> {
  const { rowCount } = await sql.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [statement],
  );
  return rowCount ?? 0;
}

/** Counts the statements that the service has run, from its metrics. `name` is a pattern of the start of their names. */
export async function countStatements({ monitoringUrl }: Catalog, name: string): Promise<number> {
  const text = await (await fetch(`${monitoringUrl}/metrics`)).text();
  const count = new RegExp(`^bv_db_query_duration_seconds_count\\{[^}]*query="${name}[^}]*\\} (\\d+)$`, 'gm');
  return [...text.matchAll(count)].reduce((sum, [, value]) => sum + Number(value), 0);
}

/** The positions of the events that a response of the operator API names. */
export const readPublishedHeader = ({ headers }: { headers: Headers }) =>
  readPublished(headers.get(publishedHeader) ?? undefined);
