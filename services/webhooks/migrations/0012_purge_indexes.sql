-- without transaction
-- A purge finds the rows of an organisation, or of its brands, by these. A failure leaves an invalid index.
drop index concurrently if exists events_org;
create index concurrently events_org on events (org_id) where org_id is not null;
drop index concurrently if exists brands_org;
create index concurrently brands_org on brands (org_id);
drop index concurrently if exists links_by_org;
create index concurrently links_by_org on links (org_id);
drop index concurrently if exists subscriptions_org;
create index concurrently subscriptions_org on subscriptions (org_id) where org_id is not null;
drop index concurrently if exists threshold_states_brand;
create index concurrently threshold_states_brand on threshold_states (brand_id);
drop index concurrently if exists change_states_brand;
create index concurrently change_states_brand on change_states (brand_id);
