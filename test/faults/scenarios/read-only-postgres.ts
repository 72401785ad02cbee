import { setTimeout as sleep } from 'node:timers/promises';
import { platformIds } from '@bv/contract';
import { waitUntil } from '@bv/local-stack';
import pg from 'pg';
import { expectStatus, requestScans } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { Store } from '../harness/stores.ts';
import type { System } from '../harness/system.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';
import { type Fault, runFault, unsent } from './outages.ts';

const roles = ['gateway', 'catalog', 'results', 'scans', 'webhooks'].map((service) => `bv_${service}`);
const readOnly = 'default_transaction_read_only';
const reload = 'select pg_reload_conf()';
const everyRole = (change: (role: string) => string): string[] => roles.map(change);

/** Runs each statement separately, because ALTER SYSTEM cannot run in a transaction. */
async function administer({ directUrl }: Store, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl, options: `-c ${readOnly}=off` });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A server that accepts connections and `select 1`, and rejects every write. */
const readOnlyServer: Fault = {
  name: 'read-only',
  begin: (store) => administer(store, [`alter system set ${readOnly} = on`, reload]),
  end: (store) => administer(store, [`alter system reset ${readOnly}`, reload]),
};

/** A failover behind one address: open sessions stay on the old primary, new ones reach the new one. */
const demotedServer: Fault = {
  name: 'demoted',
  begin: (store) =>
    administer(store, [
      ...everyRole((role) => `alter role ${role} set ${readOnly} = off`),
      `alter system set ${readOnly} = on`,
      reload,
    ]),
  end: (store) =>
    administer(store, [
      `alter system reset ${readOnly}`,
      ...everyRole((role) => `alter role ${role} reset ${readOnly}`),
      reload,
    ]),
};

const refusedLogins: Fault = {
  name: 'refusing logins',
  begin: (store) =>
    administer(store, [
      ...everyRole((role) => `alter role ${role} nologin`),
      "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'bv\\_%'",
    ]),
  end: (store) =>
    administer(
      store,
      everyRole((role) => `alter role ${role} login`),
    ),
};

const answerDelayMs = 3_000;
const recoveryMs = 5_000;

/** Platforms answer slowly meanwhile, so that paid answers arrive while the database is read-only. */
async function withScan(context: Context, fixture: Fixture, fault: Fault): Promise<string[]> {
  const { system } = context;
  for (const platform of platformIds)
    await system.simulate({ platform, kind: 'slow', delayMs: answerDelayMs });
  try {
    const mark = `readonly${context.random.between(1, 999_999)}`;
    const jobs = await requestScans(system, fixture.victim.customer, [mark]);
    const running = (): Promise<boolean> =>
      any(system, "select 1 from scans.scan_units where job_id = any($1) and status = 'running'", [jobs]);
    if (!(await waitUntil(running, { timeoutMs: 20_000, intervalMs: 50 }))) return ['no unit was leased'];
    const ready: string[] = [];
    const watched: Fault = {
      ...fault,
      begin: async (store) => {
        await fault.begin(store);
        await sleep(1_000);
        ready.push(...(await listReady(system)));
      },
    };
    const violations = await runFault(context, fixture, system.stores.postgres, watched);
    violations.push(...ready.map((name) => `${fault.name}: ${name} reports that it is ready`));
    return [...violations, ...(await checkScan(system, fixture, jobs))];
  } finally {
    for (const platform of platformIds) await system.simulate({ platform, kind: null });
  }
}

/** The gateway stays ready, so that clients get the API's own 503 from it. */
async function listReady({ stack }: System): Promise<string[]> {
  const services = stack.plan.filter(({ name }) => name !== 'simulator' && name !== 'gateway');
  const states = await Promise.all(
    services.map(async ({ name, readyUrl }) => ((await fetch(readyUrl)).ok ? [name] : [])),
  );
  return states.flat();
}

async function any(system: System, text: string, values: unknown[]): Promise<boolean> {
  return (await system.rows(text, values)).length > 0;
}

/** No answer that was paid for is requested again, and the partner is notified. */
async function checkScan(system: System, fixture: Fixture, jobs: string[]): Promise<string[]> {
  const ended = (): Promise<boolean> =>
    any(system, 'select 1 from scans.scan_jobs where id = any($1) and completed_at is not null', [jobs]);
  if (!(await waitUntil(ended, { timeoutMs: 60_000, intervalMs: 100 }))) return ['the scan did not end'];
  const repeated = await system.rows<{ platform: string; attempts: number }>(
    'select platform, attempts from scans.scan_units where job_id = any($1) and attempts > 1',
    [jobs],
  );
  const notified = (): Promise<boolean> =>
    any(
      system,
      `select 1 from webhooks.deliveries d where endpoint_id = $1 and event_type = 'scan.completed'
         and status = 'succeeded' and created_at > (select max(completed_at) from scans.scan_jobs where id = any($2))`,
      [fixture.victim.ids['endpointId'], jobs],
    );
  const isNotified = await waitUntil(notified, { timeoutMs: 10_000, intervalMs: 100 });
  return [
    ...repeated.map(({ platform, attempts }) => `${platform} got ${attempts} requests for one answer`),
    ...(isNotified ? [] : ['scan.completed was not delivered']),
  ];
}

async function checkPing({ system }: Context, fixture: Fixture, fault: Fault): Promise<string[]> {
  const { ids, partner } = fixture.victim;
  const path = `/webhook-endpoints/${ids['endpointId']}/test`;
  const before = fixture.receiver.requests.length;
  await expectStatus(202, system.call('POST', path, { key: partner.key }));
  const delivered = await waitUntil(async () => fixture.receiver.requests.length > before, {
    timeoutMs: recoveryMs,
    intervalMs: 20,
  });
  return delivered ? [] : [`${fault.name}: a ping was not delivered within ${recoveryMs / 1_000} s`];
}

async function run(context: Context): Promise<Outcome> {
  const { system } = context;
  const store = system.stores.postgres;
  const fixture = await createFixture(system, `ro${context.random.between(1, 999_999)}`);
  const violations: string[] = [];
  try {
    violations.push(...(await withScan(context, fixture, readOnlyServer)));
    violations.push(...(await checkPing(context, fixture, readOnlyServer)));
    violations.push(...(await runFault(context, fixture, store, demotedServer, 0)));
    violations.push(...(await checkPing(context, fixture, demotedServer)));
    violations.push(...(await runFault(context, fixture, store, refusedLogins)));
    violations.push(...(await checkPing(context, fixture, refusedLogins)));
    violations.push(...(await unsent(context)));
  } finally {
    await demotedServer.end(store);
    await refusedLogins.end(store);
    await fixture.receiver.close();
  }
  return {
    violations,
    summary: 'read-only, demoted, refusing logins; a scan, pings and traffic of every kind',
  };
}

export const readOnlyPostgres: Scenario = {
  name: 'read-only-postgres',
  guarantee:
    'Postgres accepts connections but no writes: at worst 503 with Retry-After, not ready, recovered after 5 s, no paid answer lost',
  run,
};
