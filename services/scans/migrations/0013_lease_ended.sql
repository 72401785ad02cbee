-- When a worker found that the lease of a running unit had ended. The unit is leased again after a period of grace, unless
-- its worker renews the lease: leases also end while the database is unavailable.
set local lock_timeout = '3s';
alter table scan_units add column lease_ended_at timestamptz;
