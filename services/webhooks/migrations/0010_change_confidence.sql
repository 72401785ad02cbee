-- Least confidence of a change in subscriptions to score.changed; null for other event types.
alter table subscriptions
  add column confidence double precision check (confidence in (0.95, 0.99, 0.999, 0.9999)),
  drop constraint subscriptions_equal,
  add constraint subscriptions_equal unique nulls not distinct
    (endpoint_id, event_type, org_id, brand_id, threshold, direction, country, metric, window_days, confidence);
update subscriptions set confidence = 0.9999 where event_type = 'score.changed';
