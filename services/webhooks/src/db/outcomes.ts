import { many, type Queryable, type Transaction } from '@bv/postgres';

export type OutcomeRow = {
  id: string;
  leaseToken: string;
  status: 'pending' | 'succeeded' | 'dead';
  nextAttemptAt: Date | null;
  outcome: 'succeeded' | 'failed' | 'unknown';
  error: string | null;
  statusCode: number | null;
  durationMs: number | null;
  snippet: string | null;
};

/**
 * Ends attempts by their lease tokens. Returns the ids of the deliveries whose token was still valid. An unknown
 * outcome does not overwrite the last known one in the delivery log.
 */
export async function recordDeliveryOutcomes(
  tx: Transaction,
  outcomes: readonly OutcomeRow[],
  at: Date,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(tx, {
    name: 'webhooks.settle_deliveries',
    text: `with result as (
        select * from jsonb_to_recordset($1::jsonb) as r(id uuid, "leaseToken" uuid, status text,
          "nextAttemptAt" timestamptz, outcome text, error text, "statusCode" int, "durationMs" int, snippet text)),
      recorded as (
        update deliveries d set status = r.status, next_attempt_at = r."nextAttemptAt",
          lease_token = null, lease_expires_at = null,
          last_status_code = case r.outcome when 'unknown' then d.last_status_code else r."statusCode" end,
          last_duration_ms = case r.outcome when 'unknown' then d.last_duration_ms else r."durationMs" end,
          last_error = case r.outcome when 'unknown' then d.last_error else r.error end,
          last_response_snippet =
            case r.outcome when 'unknown' then d.last_response_snippet else r.snippet end,
          updated_at = $2
        from result r
        -- Only a delivery in flight has a token (deliveries_lease).
        where d.id = r.id and d.lease_token = r."leaseToken"
        returning d.id, d.attempts, r.outcome, r.error, r."statusCode", r."durationMs"),
      logged as (
        update attempts a set outcome = s.outcome, error = s.error, status_code = s."statusCode",
          duration_ms = s."durationMs", finished_at = $2
        from recorded s where a.delivery_id = s.id and a.number = s.attempts)
      select id from recorded`,
    values: [JSON.stringify(outcomes), at],
  });
  return new Set(rows.map(({ id }) => id));
}

export type ExpiredLease = {
  id: string;
  endpoint_id: string;
  lease_token: string;
  schedule_attempts: number;
  is_ping: boolean;
};

/** Attempts whose process died or hangs. Read without locks: the lease token decides which process ends them. */
export async function listExpiredLeases(db: Queryable, limit: number): Promise<ExpiredLease[]> {
  return many<ExpiredLease>(db, {
    name: 'webhooks.list_expired_leases',
    text: `select id, endpoint_id, lease_token, schedule_attempts, is_ping from deliveries
      where status = 'delivering' and lease_expires_at < statement_timestamp()
      order by lease_expires_at limit $1`,
    values: [limit],
  });
}
