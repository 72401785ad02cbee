-- What a brand is found by, from catalog. Complete only where `identity_version` is `version`: a process of an earlier
-- release writes a newer version without these columns.
alter table brands
  add column aliases text[],
  add column match jsonb,
  add column identity_version bigint;
-- The own brands that track a competitor: their results show its name.
create index brands_by_competitor on brands using gin (competitor_ids);

-- How a unit's mentions were decided: 'words', or 'words+llm' where the LLM judge model confirmed them. Null in units
-- stored before, and imported ones: words.
alter table units add column mention_method text;
alter table unit_brands
  -- The first occurrences in the answer, as pairs of start and end in code points.
  add column evidence integer[],
  -- The LLM judge model's word on whether the text means this brand. Null: not asked.
  add column means_brand boolean;
