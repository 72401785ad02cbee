-- json, not jsonb: an answer made of recorded outcomes has its fields in the order they were written.
alter table operation_steps alter column outcome type json;
