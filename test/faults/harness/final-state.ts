import type { ReceivedRequest } from '@bv/local-stack';
import { Webhook } from 'standardwebhooks';
import type { FinalState, DeliveryRecord, ScanRecord } from '../checkers/kills.ts';
import type { Api } from './client.ts';
import type { Traffic } from './traffic.ts';
import type { Fixture } from './fixture.ts';

async function scanRecords(api: Api, jobs: string[]): Promise<ScanRecord[]> {
  const found = await api.rows<{ id: string; status: string; units: number }>(
    'select id, status, units_total as units from scans.scan_jobs where id = any($1)',
    [jobs],
  );
  const results = await api.rows<{ job_id: string; place: string }>(
    `select job_id, prompt_id || ' ' || platform || ' ' || country as place from results.units where job_id = any($1)`,
    [jobs],
  );
  const scored = await api.rows<{ job_id: string }>(
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
  api: Api,
  endpointId: string,
  secret: string,
  requests: readonly ReceivedRequest[],
): Promise<DeliveryRecord[]> {
  const found = await api.rows<{ event_id: string; status: string; attempts: number; unknown: number }>(
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

export async function readFinalState(
  api: Api,
  fixture: Fixture,
  traffic: Traffic,
  jobs: string[],
): Promise<FinalState> {
  const { ids } = fixture.victim;
  const prompts = await api.rows<{ id: string; text: string; version: string }>(
    'select id, text, version::text as version from catalog.prompts where org_id = $1',
    [ids['orgId']],
  );
  const projectedVersions = await api.rows<{ id: string; version: string }>(
    'select id, version::text as version from results.prompts where org_id = $1',
    [ids['orgId']],
  );
  const schemas = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
  const sum = (table: string, where: string): string =>
    schemas.map((schema) => `(select count(*) from ${schema}.${table} where ${where})`).join(' + ');
  const [counts] = await api.rows<{ unsent: number; dead: number }>(
    `select (${sum('outbox', 'sent_at is null')})::int as unsent, (${sum('dead_letter_events', 'true')})::int as dead`,
  );
  return {
    writes: traffic.writes,
    stored: prompts.map(({ text }) => text),
    catalogVersions: new Map(prompts.map(({ id, version }) => [id, version])),
    projectedVersions: new Map(projectedVersions.map(({ id, version }) => [id, version])),
    unsent: counts?.unsent ?? -1,
    deadLetters: counts?.dead ?? -1,
    scans: await scanRecords(api, jobs),
    deliveries: await deliveryRecords(
      api,
      ids['endpointId'] ?? '',
      fixture.victim.webhookSecret,
      fixture.receiver.requests,
    ),
  };
}

/** Responses 500: an unavailable process must cause 503 instead. */
export function findInternalErrors({ history }: Traffic): string[] {
  return history
    .filter(({ status }) => status === 500)
    .map(({ name, code }) => `${name}: 500 ${code ?? ''} while a service was down`);
}
