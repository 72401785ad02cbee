-- Days and units of imports in a window, found without reading the units of its scans.
create index units_imported on units (brand_id, run_date) where job_id is null;
