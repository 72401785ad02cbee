-- How workers measure, as the one that started last says: other processes do not have their settings. One row.
create table worker_settings (
  is_only boolean primary key default true check (is_only),
  platforms jsonb not null,
  llm_model text,
  prices jsonb not null
);
