-- Number of the method version by which the brands in an answer were found. Null: stored before this column, or by a
-- process of an earlier release.
alter table units add column method_version text;
