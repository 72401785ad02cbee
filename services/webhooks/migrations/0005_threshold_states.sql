-- What each partner was last notified of, per brand, series, metric and threshold. Updated in the transaction of the
-- event, under the row's lock.
create table threshold_states (
  partner_id uuid not null,
  brand_id uuid not null,
  metric text not null check (metric in ('score', 'sentiment')),
  -- '' in the all-market series.
  country text not null,
  threshold double precision not null,
  -- Value of the last event or of the first evaluation; null until a day with a value is evaluated.
  value double precision,
  -- The side last reported.
  side text generated always as (
    case when value is null then null when value >= threshold then 'above' else 'below' end) stored,
  -- The newest day at the last evaluation, and the brand's change token: an older token is not evaluated.
  run_date date,
  change_token timestamptz,
  updated_at timestamptz not null,
  primary key (partner_id, brand_id, metric, country, threshold)
);
-- Retention.
create index threshold_states_updated on threshold_states (updated_at);
