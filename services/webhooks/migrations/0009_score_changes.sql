-- Members of subscriptions to score.changed; null for other event types.
alter table subscriptions
  add column metric text check (metric in ('score', 'mention_rate', 'sentiment', 'citation_rate')),
  add column window_days integer check (window_days in (7, 28)),
  drop constraint subscriptions_equal,
  add constraint subscriptions_equal unique nulls not distinct
    (endpoint_id, event_type, org_id, brand_id, threshold, direction, country, metric, window_days);

-- The last change that each endpoint was notified of. Updated in the transaction of the event, under the row's lock.
create table change_states (
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  brand_id uuid not null,
  metric text not null,
  -- '' in the all-market series.
  country text not null,
  window_days integer not null,
  -- Last day of window b of that change.
  run_date date not null,
  updated_at timestamptz not null,
  primary key (endpoint_id, brand_id, metric, country, window_days)
);
-- Retention.
create index change_states_updated on change_states (updated_at);
