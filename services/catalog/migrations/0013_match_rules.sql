-- What counts as a mention of a brand.
alter table brands add column match_rules jsonb not null
  default '{"case_sensitive": false, "exclude": [], "verify": false}';
