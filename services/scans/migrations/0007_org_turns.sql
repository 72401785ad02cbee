-- The last turn on a platform that was given to a unit of the organisation. Organisations take turns, not jobs: one
-- with many jobs would else be served as often as it has jobs.
create table org_turns (
  org_id uuid not null,
  platform text not null,
  turn bigint not null,
  primary key (org_id, platform)
);
insert into org_turns (org_id, platform, turn)
select j.org_id, u.platform, max(u.turn) from scan_units u join scan_jobs j on j.id = u.job_id
 where u.status = 'pending' group by j.org_id, u.platform;
