-- Answers with cited links whose page is not known, among those that cite the domain and among all. A domain may be
-- cited behind such a link, so the answers that do not cite it are no part of its citation rate.
alter table source_days add column units_unresolved integer not null default 0;
alter table answered_days add column units_unresolved integer not null default 0;
