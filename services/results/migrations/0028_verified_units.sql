-- Whether the LLM judge model decided mentions in a range of days, found without reading all units.
create index units_verified on units (brand_id, run_date) where mention_method = 'words+llm';
