import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil, type ReceivedRequest } from '@bv/stack';
import { Webhook } from 'standardwebhooks';
import { checkAftermath, type Aftermath, type DeliveryRecord, type ScanRecord } from '../checkers/kills.ts';
import { createBrand, expected, type Customer } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { startTraffic, type Traffic } from '../harness/traffic.ts';
import { createWorld, type World } from '../harness/world.ts';

const killed = ['gateway', 'catalog', 'results', 'scans', 'webhooks-api', 'webhooks-dispatcher'] as const;
const rounds = 8;
const countries = ['US', 'DE', 'FR', 'GB'];

/** Scans of brands of their own, so that several run while processes die; each is asked for until it is queued. */
async function requestScans(context: Context, customer: Customer, marks: string[]): Promise<string[]> {
  const { system } = context;
  const jobs: string[] = [];
  for (const name of marks) {
    const { brandId } = await createBrand(system, customer, {
      name,
      texts: [`${name}?`, `Is ${name} good?`],
      countries,
    });
    const path = `/orgs/${customer.orgId}/brands/${brandId}/scan-requests`;
    const queued = await expected(202, system.call('POST', path, customer));
    jobs.push(queued.body.data.job_id);
  }
  return jobs;
}

async function killAround({ system, random, say }: Context): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await sleep(random.between(500, 2_500));
    const victims = new Set([random.pick(killed), random.pick(killed)]);
    for (const name of victims) {
      try {
        system.signal(name, 'SIGKILL');
      } catch {
        // It is dead already, and on its way back.
      }
    }
    if (round % 3 === 1) await system.stores.nats.kill().then(() => system.stores.nats.start());
    say(`killed ${[...victims].join(' and ')}${round % 3 === 1 ? ', and NATS' : ''}`);
  }
}

async function scanRecords(system: System, jobs: string[]): Promise<ScanRecord[]> {
  const found = await system.rows<{ id: string; status: string; units: number }>(
    'select id, status, units_total as units from scans.scan_jobs where id = any($1)',
    [jobs],
  );
  const results = await system.rows<{ job_id: string; place: string }>(
    `select job_id, prompt_id || ' ' || platform || ' ' || country as place from results.units where job_id = any($1)`,
    [jobs],
  );
  const scored = await system.rows<{ job_id: string }>(
    `select aggregate_id as job_id from results.outbox
     where type = 'results.scan.scored.v1' and aggregate_id = any($1)`,
    [jobs],
  );
  return found.map(({ id, status, units }) => ({
    jobId: id,
    status,
    units,
    results: results.filter((row) => row.job_id === id).map(({ place }) => place),
    scoredEvents: scored.filter((row) => row.job_id === id).length,
  }));
}

async function deliveryRecords(
  system: System,
  endpointId: string,
  secret: string,
  requests: readonly ReceivedRequest[],
): Promise<DeliveryRecord[]> {
  const found = await system.rows<{ event_id: string; status: string; attempts: number; unknown: number }>(
    `select event_id, status, attempts,
       (select count(*)::int from webhooks.attempts a where a.delivery_id = d.id and outcome = 'unknown') as unknown
     from webhooks.deliveries d where endpoint_id = $1 and event_type = 'scan.completed'`,
    [endpointId],
  );
  const verifier = new Webhook(secret);
  return found.map(({ event_id: eventId, status, attempts, unknown }) => {
    const received = requests.filter(({ headers }) => headers['webhook-id'] === eventId);
    const bad = received.filter(({ body, headers }) => {
      try {
        verifier.verify(body, headers as Record<string, string>);
        return false;
      } catch {
        return true;
      }
    });
    return {
      eventId,
      endpointId,
      status,
      attempts,
      unknownAttempts: unknown,
      received: received.length,
      badSignatures: bad.length,
    };
  });
}

async function lookAt(context: Context, world: World, traffic: Traffic, jobs: string[]): Promise<Aftermath> {
  const { system } = context;
  const { ids } = world.victim;
  const prompts = await system.rows<{ id: string; text: string; version: string }>(
    'select id, text, version::text as version from catalog.prompts where org_id = $1',
    [ids['orgId']],
  );
  const heard = await system.rows<{ id: string; version: string }>(
    'select id, version::text as version from results.prompts where org_id = $1',
    [ids['orgId']],
  );
  const schemas = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
  const sum = (table: string, where: string): string =>
    schemas.map((schema) => `(select count(*) from ${schema}.${table} where ${where})`).join(' + ');
  const [counts] = await system.rows<{ unsent: number; dead: number }>(
    `select (${sum('outbox', 'sent_at is null')})::int as unsent, (${sum('dead_events', 'true')})::int as dead`,
  );
  return {
    writes: traffic.writes,
    stored: prompts.map(({ text }) => text),
    told: new Map(prompts.map(({ id, version }) => [id, version])),
    heard: new Map(heard.map(({ id, version }) => [id, version])),
    unsent: counts?.unsent ?? -1,
    dead: counts?.dead ?? -1,
    scans: await scanRecords(system, jobs),
    deliveries: await deliveryRecords(
      system,
      ids['endpointId'] ?? '',
      world.victim.webhookSecret,
      world.receiver.requests,
    ),
  };
}

async function run(context: Context): Promise<Outcome> {
  const { system, random, say } = context;
  const mark = `k${random.between(1, 999_999)}`;
  const world = await createWorld(system, mark);
  await system.simulate({ platform: 'claude', kind: 'slow', delayMs: 1_500 });
  const jobs = await requestScans(
    context,
    world.victim.customer,
    ['a', 'b', 'c', 'd'].map((one) => `${mark} ${one}`),
  );
  const traffic = startTraffic(system, world.victim, { writers: 6 });
  await killAround(context);
  await system.simulate({ platform: 'claude', kind: null });
  const stopped = traffic.stop();
  await system.healthy(60_000);
  await stopped;
  say(
    `${traffic.history.length} requests, ${traffic.writes.length} writes; waiting until everything has come to rest`,
  );
  const expectedEvents = jobs.length + 1;
  // What is wrong stays wrong; what is only late gets the time of a lease and a retry.
  const atRest = async (): Promise<boolean> => {
    const aftermath = await lookAt(context, world, traffic, jobs);
    return aftermath.deliveries.length >= expectedEvents - 1 && checkAftermath(aftermath).length === 0;
  };
  await waitUntil(atRest, { timeoutMs: 45_000, intervalMs: 500 });
  const aftermath = await lookAt(context, world, traffic, jobs);
  const violations = checkAftermath(aftermath);
  if (aftermath.deliveries.length < jobs.length)
    violations.push(`${aftermath.deliveries.length} deliveries for ${jobs.length} scans`);
  violations.push(...forgottenServices(traffic));
  await world.receiver.close();
  return {
    violations,
    did: `${rounds} rounds of kill -9; ${traffic.writes.length} writes, ${jobs.length} scans, ${aftermath.deliveries.length} deliveries`,
  };
}

/** A 500 is no way to say that a process is gone. */
function forgottenServices({ history }: Traffic): string[] {
  return history
    .filter(({ status }) => status === 500)
    .map(({ name, code }) => `${name}: 500 ${code ?? ''} while a service was away`);
}

export const kills: Scenario = {
  name: 'kills',
  promise:
    'kill -9 of every service and of NATS under writes, scans and deliveries: nothing lost, nothing doubled',
  run,
};
