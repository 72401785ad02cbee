-- Sums of cited links by day, kept with the units under the brand's token: a page of sources reads sums instead of
-- joining every answer of the window with its links.
create table source_days (
  brand_id uuid not null,
  run_date date not null,
  domain text not null,
  platform text not null,
  country text not null,
  citations integer not null,
  units_cited integer not null,
  units_mentioned integer not null,
  primary key (brand_id, run_date, domain, platform, country)
);
create table source_pages (
  brand_id uuid not null,
  domain text not null,
  run_date date not null,
  platform text not null,
  country text not null,
  url text not null,
  title text,
  citations integer not null
);
-- A URL can be longer than an index entry.
create unique index source_pages_key on source_pages (brand_id, domain, run_date, platform, country, md5(url));
create table answered_days (
  brand_id uuid not null,
  run_date date not null,
  platform text not null,
  country text not null,
  units_answered integer not null,
  primary key (brand_id, run_date, platform, country)
);

insert into source_days
select u.brand_id, u.run_date, s.domain, u.platform, u.country, sum(s.citations), count(*),
  count(*) filter (where u.mentioned)
from (select unit_id, domain, count(*) as citations from unit_sources where cited group by unit_id, domain) s
join units u on u.id = s.unit_id
where u.outcome = 'answered'
group by u.brand_id, u.run_date, s.domain, u.platform, u.country;

insert into source_pages
select u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url, max(s.title), count(*)
from unit_sources s join units u on u.id = s.unit_id
where s.cited and u.outcome = 'answered'
group by u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url;

insert into answered_days
select brand_id, run_date, platform, country, count(*) from units
where outcome = 'answered' group by brand_id, run_date, platform, country;
