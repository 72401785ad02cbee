-- What the prompt list can be filtered by, as one list of keys that begin with the organisation: a filter that
-- few prompts of an organisation meet finds them by the index instead of reading through all of them, and the
-- planner's statistics of the keys tell which filters those are. Null asks for nothing.
create function prompt_keys(org_id uuid, active boolean, tags text[], countries text[], platforms text[])
returns text[] language sql immutable parallel safe as $$
  select array(select org_id || ' active ' || active where active is not null)
    || array(select org_id || ' tag ' || tag from unnest(tags) tag where tag is not null)
    || array(select org_id || ' country ' || country from unnest(countries) country where country is not null)
    || array(select org_id || ' platform ' || platform from unnest(platforms) platform where platform is not null)
$$;

-- Without the list of pending entries, which every read would have to go through.
create index prompts_filtered on prompts using gin (prompt_keys(org_id, active, tags, countries, platforms))
  with (fastupdate = off);
