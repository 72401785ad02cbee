-- Sums of a brand's day by cell and model, over all its units: repeats of a cell included. Windows pool them.
create table cell_days (
  brand_id uuid not null,
  run_date date not null,
  prompt_id uuid not null,
  country text not null,
  platform text not null,
  -- Empty where the platform named none.
  model text not null,
  units_total integer not null,
  units_answered integer not null,
  units_mentioned integer not null,
  units_cited integer not null,
  unit_score_sum double precision not null,
  position_sum integer not null,
  sentiment_sum numeric(14,2) not null,
  sentiment_count integer not null,
  primary key (brand_id, run_date, prompt_id, country, platform, model)
);

-- What served the answers of a day's row. Null in rows written before, until their day leaves `unwindowed_days`.
alter table scores
  add column models jsonb,
  add column prompts_measured integer;

-- Scores over the days up to `run_date`. `country` is empty in the all-market series.
create table window_scores (
  brand_id uuid not null,
  country text not null,
  window_days smallint not null check (window_days in (7, 28)),
  run_date date not null,
  score numeric(5,2),
  mention_rate numeric(5,2),
  mention_rate_low numeric(5,2),
  mention_rate_high numeric(5,2),
  average_position numeric(8,2),
  sentiment numeric(5,2),
  citation_rate numeric(5,2),
  share_of_voice numeric(5,2),
  units_total integer not null,
  units_answered integer not null,
  units_mentioned integer not null,
  units_cited integer not null,
  units_effective numeric(12,2) not null,
  position_sum bigint not null,
  sentiment_sum numeric(16,2) not null,
  sentiment_count integer not null,
  platforms jsonb not null,
  models jsonb not null,
  prompts_measured integer not null,
  method_version text not null,
  computed_at timestamptz not null,
  primary key (brand_id, country, window_days, run_date)
);

-- Days whose scores were written after their sums by cell. The trigger adds every day that is scored, and this release
-- removes it in the same transaction. What is left are days from before, and days that an earlier release scores.
create table unwindowed_days (
  brand_id uuid not null,
  run_date date not null,
  primary key (brand_id, run_date)
);

create function add_unwindowed_day() returns trigger language plpgsql as $$
declare
  score scores%rowtype;
begin
  if tg_op = 'DELETE' then
    score := old;
  else
    score := new;
  end if;
  if score.country = '' then
    insert into unwindowed_days (brand_id, run_date) values (score.brand_id, score.run_date) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger scores_unwindowed after insert or delete or update of computed_at on scores
  for each row execute function add_unwindowed_day();
