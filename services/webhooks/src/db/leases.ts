import { execute, many, type Transaction } from '@bv/postgres';
import type { Allocation, Candidate } from '../domain/lease-plan.ts';
import type { EndpointStatus } from '../domain/endpoint-state.ts';

/**
 * Locks the endpoints that have waited longest, and their partners. Only one dispatcher at a time counts and leases for
 * them, so the limits hold over all dispatchers. Rows that another dispatcher has locked are skipped.
 */
export async function lockDueEndpoints(tx: Transaction, at: Date, limit: number): Promise<string[]> {
  const rows = await many<{ id: string }>(tx, {
    name: 'webhooks.lock_due_endpoints',
    text: `select e.id from endpoints e join partners p on p.id = e.partner_id
      where e.next_lease_at <= $1 and e.deleted_at is null
      order by e.next_lease_at limit $2
      for no key update of e, p skip locked`,
    values: [at, limit],
  });
  return rows.map(({ id }) => id);
}

type CandidateRow = {
  endpoint_id: string;
  partner_id: string;
  status: EndpointStatus;
  breaker_level: number;
  breaker_until: string | null;
  running: number;
  in_flight: number;
  partner_in_flight: number;
  due_pings: number;
  due_events: number;
};

const dueCount = (isPing: boolean): string => `(select count(*)::int from (
  select from deliveries d
  where d.endpoint_id = e.id and d.is_ping = ${isPing} and d.status = 'pending' and d.next_attempt_at <= $2
  limit $3) due)`;

const isInFlight = 'd.lease_token <> all($4::uuid[])';

/**
 * Counts due and running deliveries of locked endpoints. Due ones are counted up to `maxCounted`. Running deliveries with
 * these lease tokens are not in flight: their attempts have ended, and their outcomes are not stored.
 */
export async function listCandidates(
  tx: Transaction,
  endpointIds: readonly string[],
  { at, maxCounted, endedTokens }: { at: Date; maxCounted: number; endedTokens: readonly string[] },
): Promise<Candidate[]> {
  const rows = await many<CandidateRow>(tx, {
    name: 'webhooks.list_lease_candidates',
    text: `with partner_running as (
        select partner_id, (select count(*)::int from deliveries d
          where d.partner_id = locked.partner_id and d.status = 'delivering' and ${isInFlight}) as in_flight
        from (select distinct partner_id from endpoints where id = any($1::uuid[])) locked)
      select e.id as endpoint_id, e.partner_id, e.status, e.breaker_level, e.breaker_until,
        own.running, own.in_flight, coalesce(r.in_flight, 0) as partner_in_flight,
        ${dueCount(true)} as due_pings,
        ${dueCount(false)} as due_events
      from unnest($1::uuid[]) with ordinality as locked(id, place)
        join endpoints e on e.id = locked.id
        cross join lateral (
          select count(*)::int as running, (count(*) filter (where ${isInFlight}))::int as in_flight
          from deliveries d where d.endpoint_id = e.id and d.status = 'delivering') own
        left join partner_running r on r.partner_id = e.partner_id
      order by locked.place`,
    values: [endpointIds, at, maxCounted, endedTokens],
  });
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    partnerId: row.partner_id,
    status: row.status,
    breaker: {
      level: row.breaker_level,
      until: row.breaker_until === null ? null : new Date(row.breaker_until),
    },
    running: row.running,
    inFlight: row.in_flight,
    partnerInFlight: row.partner_in_flight,
    duePings: row.due_pings,
    dueEvents: row.due_events,
  }));
}

export type LeasedDelivery = {
  id: string;
  event_id: string;
  endpoint_id: string;
  partner_id: string;
  is_ping: boolean;
  attempts: number;
  schedule_attempts: number;
  lease_token: string;
  body: string;
  traceparent: string | null;
  url: string;
  generation: number;
  /** False when the organisation is no longer linked or the partner is suspended: the delivery is dead and not sent. */
  allowed: boolean;
};

/** An unsent delivery did not end with its last attempt, so it does not show the error of that attempt. */
const nullIfUnsent = (column: string): string => `${column} = case when c.allowed then d.${column} end`;

/**
 * Leases as many due deliveries as slots were allocated. The attempt is counted and logged before it is sent, so that an attempt
 * of a killed process is counted too.
 */
export async function leaseDeliveries(
  tx: Transaction,
  allocations: readonly Allocation[],
  lease: { at: Date; leaseMs: number; dispatcher: string },
): Promise<LeasedDelivery[]> {
  const requests = allocations.flatMap(({ endpointId, pings, events }) => [
    { endpointId, isPing: true, slots: pings },
    { endpointId, isPing: false, slots: events },
  ]);
  const requested = requests.filter(({ slots }) => slots > 0);
  if (requested.length === 0) return [];
  return many<LeasedDelivery>(tx, {
    name: 'webhooks.lease_deliveries',
    text: `with picked as (
        select due.* from jsonb_to_recordset($1::jsonb) as requested("endpointId" uuid, "isPing" boolean, slots int)
          cross join lateral (
            select d.id, d.event_id, d.endpoint_id, d.partner_id, d.org_id from deliveries d
            where d.endpoint_id = requested."endpointId" and d.is_ping = requested."isPing"
              and d.status = 'pending' and d.next_attempt_at <= $2
            order by d.next_attempt_at limit requested.slots
            for no key update skip locked) due),
      checked as (
        select d.id, ev.body, ev.traceparent, e.url, e.generation,
          p.status = 'active'
            and (d.org_id is null or (coalesce(l.active, false) and o.deleted_at is null)) as allowed
        from picked d join events ev on ev.id = d.event_id
          join endpoints e on e.id = d.endpoint_id
          join partners p on p.id = d.partner_id
          left join links l on l.partner_id = d.partner_id and l.org_id = d.org_id
          left join orgs o on o.id = d.org_id),
      leased as (
        update deliveries d set
          status = case when c.allowed then 'delivering' else 'dead' end,
          attempts = d.attempts + c.allowed::int,
          schedule_attempts = d.schedule_attempts + c.allowed::int,
          next_attempt_at = null,
          lease_token = case when c.allowed then gen_random_uuid() end,
          -- By the clock that ends the lease: those of the processes differ.
          lease_expires_at = case when c.allowed then
            statement_timestamp() + make_interval(secs => $3::float8 / 1000) end,
          ${nullIfUnsent('last_status_code')}, ${nullIfUnsent('last_duration_ms')}, ${nullIfUnsent('last_error')},
          ${nullIfUnsent('last_response_snippet')},
          updated_at = $2
        from checked c where d.id = c.id
        returning d.id, d.event_id, d.endpoint_id, d.partner_id, d.is_ping, d.attempts, d.schedule_attempts, d.lease_token,
          c.body, c.traceparent, c.url, c.generation, c.allowed),
      logged as (
        insert into attempts (delivery_id, number, outcome, dispatcher, started_at)
        select id, attempts, 'running', $4, $2 from leased where allowed)
      select * from leased`,
    values: [JSON.stringify(requested), lease.at, lease.leaseMs, lease.dispatcher],
  });
}

/** Makes deliveries due again that were leased and not sent, as if they had not been leased. */
export async function returnDeliveries(
  tx: Transaction,
  deliveries: readonly LeasedDelivery[],
  at: Date,
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.return_deliveries',
    text: `with returned as (
        update deliveries d set status = 'pending', next_attempt_at = $2, lease_token = null, lease_expires_at = null,
          attempts = d.attempts - 1, schedule_attempts = d.schedule_attempts - 1, updated_at = $2
        from jsonb_to_recordset($1::jsonb) as r(id uuid, token uuid)
        where d.id = r.id and d.lease_token = r.token
        returning d.id, d.endpoint_id, d.attempts + 1 as number),
      unlogged as (
        delete from attempts a using returned r where a.delivery_id = r.id and a.number = r.number)
      update endpoints set next_lease_at = least(next_lease_at, $2) where id in (select endpoint_id from returned)`,
    values: [JSON.stringify(deliveries.map(({ id, lease_token: token }) => ({ id, token }))), at],
  });
}

/** Sets the next wake time of each endpoint: its earliest delivery, but not before `recheckAt` if more is due. */
export async function updateWakeTimes(
  tx: Transaction,
  allocations: readonly Allocation[],
  recheckAt: Date,
): Promise<void> {
  const next = (isPing: boolean): string => `coalesce((select d.next_attempt_at from deliveries d
    where d.endpoint_id = g.id and d.is_ping = ${isPing} and d.status = 'pending'
    order by d.next_attempt_at limit 1), 'infinity')`;
  await execute(tx, {
    name: 'webhooks.update_wake_times',
    text: `update endpoints e set next_lease_at = case when e.status = 'disabled' then 'infinity' else greatest(
        case when g."isLimited" then $2::timestamptz else '-infinity' end,
        least(${next(true)},
          case when g."eventsFrom" is null then 'infinity' else greatest(${next(false)}, g."eventsFrom") end))
        end
      from jsonb_to_recordset($1::jsonb) as g(id uuid, "isLimited" boolean, "eventsFrom" timestamptz)
      where e.id = g.id`,
    values: [
      JSON.stringify(
        allocations.map(({ endpointId, isLimited, eventsFrom }) => ({
          id: endpointId,
          isLimited,
          eventsFrom,
        })),
      ),
      recheckAt,
    ],
  });
}
