-- Days whose first scan was evaluated for changes. `change_verdict` is that of the last scan of the day, over all
-- markets: the score of the 7 days up to `run_date` against that of the 7 days before.
create table evaluated_days (
  brand_id uuid not null,
  run_date date not null,
  change_verdict text not null check (change_verdict in ('up', 'down', 'no_evidence', 'not_comparable')),
  primary key (brand_id, run_date)
);
