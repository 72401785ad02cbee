-- The planner takes a column without statistics for a selective one. Apart from the migration that adds the columns, so
-- that no lock of theirs is held meanwhile.
do $$
begin
  if exists (select from partitioning where switched_at is null) then
    analyze unit_brands (own_brand_id);
    analyze unit_sources (own_brand_id);
  end if;
end
$$;
