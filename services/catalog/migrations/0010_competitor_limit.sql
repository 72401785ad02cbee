-- A brand's events carry all its competitors, so 250 is the highest limit any plan can set.
update tiers set competitors_per_brand = 250 where competitors_per_brand is null or competitors_per_brand > 250;
alter table tiers
  alter column competitors_per_brand set not null,
  add constraint tiers_competitors_per_brand_highest check (competitors_per_brand <= 250);

update orgs set overrides = overrides || '{"competitors_per_brand": 250}'
where overrides ? 'competitors_per_brand'
  and (overrides -> 'competitors_per_brand' = 'null' or (overrides -> 'competitors_per_brand')::numeric > 250);
