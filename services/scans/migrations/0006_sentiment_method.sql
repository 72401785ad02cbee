-- What gave a unit's sentiments: the lexicon, or a language model asked as a judge.
alter table scan_units add column sentiment_method text check (sentiment_method in ('lexicon', 'llm'));
