-- What gave a unit's sentiments, as scans tells it: 'lexicon', or 'llm' for a language model asked as a judge. Null where
-- there are none, for imported units and for those stored before.
alter table units add column sentiment_method text;
