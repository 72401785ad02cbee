-- Until when each ended scan that still waits for units holds its brand's mark. The mark on brand_tokens is the latest
-- of them, so that one scan's end does not take away what another still holds.
alter table scans add column finalising_until timestamptz;
create index scans_finalising on scans (brand_id) where finalising_until is not null;
