-- Every platform and market a brand has units of: a filter by what nothing stores is answered without reading the
-- window. Written under the brand's token, with the units.
create table unit_markets (
  brand_id uuid not null,
  platform text not null,
  country text not null,
  primary key (brand_id, country, platform)
);
insert into unit_markets select distinct brand_id, platform, country from units;
