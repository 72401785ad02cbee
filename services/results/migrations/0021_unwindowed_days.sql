-- Days that were scored before. A separate migration, because 0020 locks `scores`: this one may take long.
insert into unwindowed_days (brand_id, run_date)
select brand_id, run_date from scores where country = ''
on conflict do nothing;
