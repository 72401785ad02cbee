-- A scan reads how its brands are found from here when it stores an answer.
alter table brands
  add column name text,
  add column domain text,
  add column aliases text[],
  -- {case_sensitive, exclude, verify}
  add column match jsonb,
  -- The competitors linked to an own brand, in the order of linking.
  add column competitor_ids uuid[],
  -- The version of the columns above. They are stale if it is not `version`: rows from before the columns have none, and
  -- a process without the columns raises `version` alone. Catalog is then asked for the brand.
  add column identity_version bigint;
