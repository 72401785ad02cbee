-- What a prompt asks: slices are by its tags, and by the brands that its text names.
alter table prompts
  add column text text,
  add column tags text[] not null default '{}';
create index prompts_by_brand on prompts (brand_id);

-- Competitors that answers of a cell were searched for. A brand has few sets, a day has thousands of cells.
create table competitor_sets (
  own_brand_id uuid not null,
  id uuid not null,
  competitor_ids uuid[] not null,
  primary key (own_brand_id, id)
);

-- Of the answered units of the cell. The lists have an entry for each competitor of the set, in its order.
alter table cell_days
  add column units_mentioned_cited integer not null default 0,
  add column competitor_set uuid,
  add column competitor_units integer[] not null default '{}',
  add column competitor_mentions integer[] not null default '{}';

-- Null in rows that were computed before the columns existed.
alter table scores add column units_mentioned_cited integer;
alter table window_scores
  add column units_mentioned_cited integer,
  add column citation_rate_low numeric(5, 2),
  add column citation_rate_high numeric(5, 2),
  add column share_of_voice_low numeric(5, 2),
  add column share_of_voice_high numeric(5, 2),
  add column average_position_low numeric(8, 2),
  add column average_position_high numeric(8, 2);

-- Of the citing answers: those that mention a competitor, and those of them that do not mention the own brand.
alter table source_days
  add column units_with_competitor integer not null default 0,
  add column units_gap integer not null default 0;
alter table source_pages
  add column units_mentioned integer not null default 0,
  add column units_with_competitor integer not null default 0,
  add column units_gap integer not null default 0,
  -- The prompt of each citing answer.
  add column prompt_ids uuid[] not null default '{}';
