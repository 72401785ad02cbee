import { many, type Transaction } from '@bv/postgres';
import { injectTraceContext } from '@bv/telemetry';

export type NewEvent = {
  id: string;
  partnerId: string;
  orgId: string | null;
  type: string;
  dedupeKey: string;
  body: string;
};

/** Inserts events whose key is new, and returns the ids of those. */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  at: Date,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(tx, {
    name: 'webhooks.insert_events',
    text: `insert into events (id, partner_id, org_id, type, dedupe_key, body, created_at, traceparent)
      select n.id, n."partnerId", n."orgId", n.type, n."dedupeKey", n.body, $2, $3
      from jsonb_to_recordset($1::jsonb)
        as n(id uuid, "partnerId" uuid, "orgId" uuid, type text, "dedupeKey" text, body text)
      order by n."partnerId", n."dedupeKey"
      on conflict on constraint events_once do nothing
      returning id`,
    values: [
      JSON.stringify(events),
      at,
      injectTraceContext<{ traceparent?: string }>({}).traceparent ?? null,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
