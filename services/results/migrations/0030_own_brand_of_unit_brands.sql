-- The own brand of a unit. Tables without partitions have zero in every row, also in those of an earlier release.
-- Alone in its transaction: writers lock the tables in several orders, so a migration must not hold two locks.
-- A statement that waits for a lock keeps others waiting.
set local lock_timeout = '3s';
alter table unit_brands add column own_brand_id uuid not null default '00000000-0000-0000-0000-000000000000';
