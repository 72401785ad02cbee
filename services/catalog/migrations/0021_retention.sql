-- Behind a long transaction, waiting for the lock would make every other statement wait.
set local lock_timeout = '3s';

-- How long results are kept: days of answer texts and of units. 0 is for ever, null the setting of the installation.
alter table orgs add column retention jsonb not null default '{"answer_text_days": null, "unit_days": null}';
