-- Names that the answer presents and that are not tracked: [name, key, start, end, domain, rank] each. Null, as
-- `informative`, without a text that was read for them.
alter table units
  add column others jsonb,
  add column informative boolean;

-- Answered units with a text that was read for names, and those of them that name a company.
alter table cell_days
  add column units_read integer not null default 0,
  add column units_informative integer not null default 0;

-- Null in rows that were computed before the columns existed.
alter table scores
  add column units_informative integer,
  add column informative_rate numeric(5, 2);
alter table window_scores
  add column units_informative integer,
  add column informative_rate numeric(5, 2);

-- The prompt of each citing answer. Empty in rows that were computed before the column existed.
alter table source_days add column prompt_ids uuid[] not null default '{}';

-- Names in the answers of a day, replaced when the day is scored. The key of a tracked brand is its id.
create table name_days (
  brand_id uuid not null,
  run_date date not null,
  platform text not null,
  country text not null,
  key text not null,
  is_tracked boolean not null,
  -- As written, and where it links to; empty for a tracked brand, and without a link.
  name text not null,
  domain text not null,
  rank_sum integer not null,
  -- The prompt of each answer.
  prompt_ids uuid[] not null,
  -- The newest answers: at most three of [{id, start, end, at}].
  examples jsonb not null
) partition by hash (brand_id);
create index name_days_by_day on name_days (brand_id, run_date);

do $$
declare
  partitions constant integer := (select count(*) from pg_inherits where inhparent = 'units'::regclass);
begin
  for number in 0 .. partitions - 1 loop
    execute format('create table %I partition of name_days for values with (modulus %s, remainder %s)',
      'name_days_p' || number, partitions, number);
  end loop;
end
$$;
