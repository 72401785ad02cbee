-- The month's quota as handed out to Redis in blocks: never more than the quota, whatever Redis forgets.
create table quota_leases (
  key_id uuid not null references api_keys (id),
  -- 202611 is November 2026, UTC.
  month integer not null,
  leased bigint not null default 0,
  -- What the last claim got; lets the claiming statement tell it.
  granted bigint not null default 0,
  -- Requests charged, for reporting.
  used bigint not null default 0,
  primary key (key_id, month)
);

-- Two numbers change all the time and no index holds them: room in the page keeps the updates in place.
alter table quota_leases set (fillfactor = 70);
