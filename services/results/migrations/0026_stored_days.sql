-- When the newest answers of a day were stored. Null: before this column, or read again by a reprocess job since then.
alter table answered_days add column stored_at timestamptz;
alter table answered_days alter column stored_at set default clock_timestamp();
