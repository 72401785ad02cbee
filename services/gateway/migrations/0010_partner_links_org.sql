-- without transaction
-- A purge finds the links of an organisation by this index. A failure leaves an invalid index.
drop index concurrently if exists partner_links_org;
create index concurrently partner_links_org on partner_links (org_id);
