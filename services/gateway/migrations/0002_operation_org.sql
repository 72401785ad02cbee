-- without transaction
-- The organisation of the path, by which a purge finds the response. Null for a path without one, or of an older version.
alter table processed_operations add column if not exists org_id uuid;
-- An index that a failure left.
drop index concurrently if exists processed_operations_org;
create index concurrently processed_operations_org on processed_operations (org_id) where org_id is not null;
