-- The shape of a platform's answers to the scans of a day, over all brands. `drift` names what differs from the days before.
create table platform_days (
  run_date date not null,
  platform text not null,
  units integer not null,
  answered integer not null,
  sourced integer not null,
  unresolved integer not null,
  unnamed integer not null,
  largest_domain integer not null,
  with_text integer not null,
  text_bytes integer not null,
  drift text[] not null,
  primary key (run_date, platform)
);
