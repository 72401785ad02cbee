-- The list of a prompt's results asks for the brand as well, and a prompt's units are one brand's. With the brand
-- outside the index and the two taken for independent, the planner expected few rows and sorted the whole window
-- for every page.
drop index units_by_prompt;
create index units_by_prompt on units (prompt_id, brand_id, run_date desc, finalized_at desc, id desc);
create statistics units_of_prompt (dependencies) on prompt_id, brand_id from units;
