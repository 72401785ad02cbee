-- Where an answer came from. `surface` null is that of the platform; `collector` names who imported the unit.
alter table units
  add column surface text,
  add column collector text,
  -- Cited links behind a redirect of the platform whose page is not known.
  add column sources_unresolved integer not null default 0,
  -- Hash of the ids of the brands that the answer was searched for. Null where it is not known.
  add column searched_brands text;

-- Distinct values of the answered units of the cell.
alter table cell_days
  add column surfaces text[] not null default '{}',
  add column searched_brands text[] not null default '{}',
  -- Answers with unresolved links that do not cite the brand: no part of the citation rate.
  add column units_citations_unknown integer not null default 0;

-- Null in rows that were computed before the column existed.
alter table scores add column units_citations_unknown integer;
alter table window_scores add column units_citations_unknown integer;
