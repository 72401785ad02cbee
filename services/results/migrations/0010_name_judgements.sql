-- The last day on which the LLM judge could be asked about the names that the answers of a brand present.
alter table brand_tokens add column names_judged_on date;

-- What it said of a name. `same_as` is the key of the name of which this is another spelling.
create table name_judgements (
  brand_id uuid not null,
  key text not null,
  kind text not null,
  same_as text,
  primary key (brand_id, key)
);
