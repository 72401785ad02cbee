-- Units of an ended scan by market and platform: [{country, platform, total, failed}]. Null where they are not known.
alter table scans add column units_by_market jsonb;

-- Mentions of all tracked brands in the answered units of the cell. Null in rows that were computed before the column
-- existed.
alter table cell_days add column mentions integer;
