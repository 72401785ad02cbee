import { randomUUID } from 'node:crypto';
import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { startSystem, type System } from './system.ts';

let system: System;
let database: pg.Pool;
beforeAll(async () => {
  // A change that a lagging service has not applied is stored, and returns 503 after this time.
  system = await startSystem({ APPLY_TIMEOUT_MS: '300' });
  const url = new URL(system.stack.urls.postgres);
  url.pathname = '/brand_visibility';
  database = new pg.Pool({ connectionString: url.href });
  await database.query(
    `create function public.lag() returns trigger language plpgsql as 'begin raise exception ''lag''; end'`,
  );
  for (const service of lagging)
    await database.query(
      `create trigger lag before insert on ${service}.inbox execute function public.lag()`,
    );
}, 180_000);
afterAll(async () => {
  await database.end();
  await system.stop();
}, 60_000);

type Service = 'catalog' | 'scans';
const lagging: readonly Service[] = ['catalog', 'scans'];

/** A service that lags fails to apply each event, and tries again later. */
const setLagging = (service: Service, isLagging: boolean) =>
  database.query(`alter table ${service}.inbox ${isLagging ? 'enable' : 'disable'} trigger lag`);

type Step = { credits: number } | { limit: number } | { scan: true } | { lagging: Service; is: boolean };
const steps = fc.array(
  fc.oneof(
    fc.record({ credits: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ limit: fc.nat(3) }),
    fc.record({ scan: fc.constant(true as const) }),
    fc.record({ lagging: fc.constantFrom(...lagging), is: fc.boolean() }),
  ),
  { minLength: 5, maxLength: 8 },
);

const unlimited = { own_brands: null, prompts: null };

async function addOrg() {
  const overrides = { ...unlimited, manual_scans: 1 };
  const name = randomUUID();
  await system.operate('POST', '/orgs', { name, tier: 'scale', overrides });
  // A response of a slow machine is 503, without the id.
  const { rows } = await database.query<{ id: string }>('select id from catalog.orgs where name = $1', [
    name,
  ]);
  const id = rows[0]?.id ?? '';
  return { id, model: { used: 0, limit: 1, credits: 0 } };
}
type Org = Awaited<ReturnType<typeof addOrg>> & { key: string };

const toUsage = ({ model: { used, limit, credits } }: Pick<Org, 'model'>) => ({
  manual_scans: { used, limit, remaining: Math.max(0, limit - used) },
  scan_credits: credits,
});
async function expectOperatorReads(org: Pick<Org, 'id' | 'model'>): Promise<void> {
  expect((await system.operate('GET', `/orgs/${org.id}`)).body.data.usage).toMatchObject(toUsage(org));
}

async function operate(org: Org, method: string, path: string, body: unknown): Promise<void> {
  const { status, body: response } = await system.operate(method, `/orgs/${org.id}${path}`, body);
  if (status >= 300) expect(response.error.details).toMatchObject({ stored: true });
  await expectOperatorReads(org);
}

let brands = 0;
/** Requests a scan of a new brand with the key, and reads with it. */
async function scan({ id, key, model }: Org): Promise<void> {
  const call = (method: string, path: string, body?: unknown) =>
    retryUnavailable(() => system.call(method, `/orgs/${id}${path}`, { key, body }));
  const property = { name: 'Acme', domain: `acme-${(brands += 1)}.com`, markets: ['US'] };
  const brand = (await call('POST', '/properties', property)).body.data.id as string;
  await call('POST', `/brands/${brand}/prompts`, { text: 'Which anvil is best?', countries: ['US'] });
  const { status } = await call('POST', `/brands/${brand}/scan-requests`);
  if (model.used < model.limit) model.used += 1;
  else if (model.credits > 0) model.credits -= 1;
  else return expect(status).toBe(402);
  expect(status).toBe(202);
  expect((await call('GET', '')).body.data.usage).toMatchObject(toUsage({ model }));
}

async function run(org: Org, step: Step): Promise<void> {
  if ('lagging' in step) await setLagging(step.lagging, step.is);
  else if ('scan' in step) await scan(org);
  else if ('credits' in step) {
    org.model.credits += step.credits;
    await operate(org, 'POST', '/scan-credits', { amount: step.credits });
  } else {
    org.model.limit = step.limit;
    await operate(org, 'PATCH', '', { overrides: { ...unlimited, manual_scans: step.limit } });
  }
}

test('a caller reads its own writes and what follows from them, while two services lag', async () => {
  const property = fc.asyncProperty(steps, async (list) => {
    for (const service of lagging) await setLagging(service, service === 'catalog');
    const added = await addOrg();
    await expectOperatorReads(added);
    const minted = await system.operate('POST', `/orgs/${added.id}/keys`, {
      scopes: ['read', 'write'],
      per_minute: 100_000,
    });
    const org = { ...added, key: minted.body.data.key as string };
    for (const step of list) await run(org, step);
  });
  await fc.assert(property, { numRuns: 5 });
}, 240_000);
