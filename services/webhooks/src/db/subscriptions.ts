import type { ChangeConfidence } from '@bv/contract';
import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { MatchingSubscription } from '../domain/matching-subscription.ts';

export type SubscriptionRow = {
  id: string;
  endpoint_id: string;
  event_type: string;
  org_id: string | null;
  brand_id: string | null;
  threshold: number | null;
  direction: 'up' | 'down' | 'both' | null;
  country: string | null;
  metric: 'score' | 'mention_rate' | 'sentiment' | 'citation_rate' | null;
  window_days: 7 | 28 | null;
  confidence: ChangeConfidence | null;
  created_at: string;
  updated_at: string;
};

/** What makes two subscriptions of an endpoint equal. */
const members =
  'endpoint_id, event_type, org_id, brand_id, threshold, direction, country, metric, window_days, confidence';
const columns = `id, ${members}, created_at, updated_at`;

const toMemberValues = (row: NewSubscription): unknown[] => [
  row.endpoint_id,
  row.event_type,
  row.org_id,
  row.brand_id,
  row.threshold,
  row.direction,
  row.country,
  row.metric,
  row.window_days,
  row.confidence,
];

export type NewSubscription = Omit<SubscriptionRow, 'created_at' | 'updated_at'> & { at: Date };

/** Returns undefined when the endpoint has an equal subscription. The unique constraint decides. */
export async function insertSubscription(
  tx: Transaction,
  subscription: NewSubscription,
): Promise<SubscriptionRow | undefined> {
  return maybeOne<SubscriptionRow>(tx, {
    name: 'webhooks.insert_subscription',
    text: `insert into subscriptions (${members}, id, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
      on conflict on constraint subscriptions_equal do nothing
      returning ${columns}`,
    values: [...toMemberValues(subscription), subscription.id, subscription.at],
  });
}

export async function findEqualSubscription(
  tx: Transaction,
  subscription: NewSubscription,
): Promise<{ id: string } | undefined> {
  return maybeOne<{ id: string }>(tx, {
    name: 'webhooks.find_equal_subscription',
    text: `select id from subscriptions
      where endpoint_id = $1 and event_type = $2 and org_id is not distinct from $3
        and brand_id is not distinct from $4 and threshold is not distinct from $5
        and direction is not distinct from $6 and country is not distinct from $7
        and metric is not distinct from $8 and window_days is not distinct from $9
        and confidence is not distinct from $10`,
    values: toMemberValues(subscription),
  });
}

export async function countSubscriptions(tx: Transaction, endpointId: string): Promise<number> {
  const row = await one<{ count: number }>(tx, {
    name: 'webhooks.count_subscriptions',
    text: 'select count(*)::int as count from subscriptions where endpoint_id = $1',
    values: [endpointId],
  });
  return row.count;
}

export async function listSubscriptionRows(
  db: Queryable,
  page: { endpointId: string; after: { createdAt: string; id: string }; limit: number },
): Promise<SubscriptionRow[]> {
  return many<SubscriptionRow>(db, {
    name: 'webhooks.list_subscriptions',
    text: `select ${columns} from subscriptions
      where endpoint_id = $1 and (created_at, id) > ($2, $3::uuid)
      order by created_at, id limit $4`,
    values: [page.endpointId, page.after.createdAt, page.after.id, page.limit],
  });
}

export async function deleteSubscriptionRow(
  tx: Transaction,
  key: { id: string; endpointId: string },
): Promise<boolean> {
  const deleted = await execute(tx, {
    name: 'webhooks.delete_subscription',
    text: 'delete from subscriptions where id = $1 and endpoint_id = $2',
    values: [key.id, key.endpointId],
  });
  return deleted === 1;
}

/**
 * Lists the subscriptions that match a scan of this brand. Their partners are active and linked to the organisation,
 * their endpoints were verified once and are not disabled. The order makes an event always use the same subscription.
 */
export async function listMatchingSubscriptions(
  db: Queryable,
  scan: { orgId: string; brandId: string },
): Promise<MatchingSubscription[]> {
  return many<MatchingSubscription>(db, {
    name: 'webhooks.list_matching_subscriptions',
    text: `select s.id as "subscriptionId", s.endpoint_id as "endpointId", e.partner_id as "partnerId",
        l.external_ref as "externalRef", s.event_type as "eventType", s.threshold, s.direction, s.country,
        s.metric, s.window_days as "windowDays", s.confidence
      from links l
        join partners p on p.id = l.partner_id and p.status = 'active'
        join endpoints e on e.partner_id = l.partner_id and e.deleted_at is null
          and e.verified_at is not null and e.status <> 'disabled'
        join subscriptions s on s.endpoint_id = e.id
          and (s.org_id is null or s.org_id = $1) and (s.brand_id is null or s.brand_id = $2)
      where l.org_id = $1 and l.active
        and not exists (select from orgs o where o.id = $1 and o.deleted_at is not null)
      order by s.created_at, s.id`,
    values: [scan.orgId, scan.brandId],
  });
}
