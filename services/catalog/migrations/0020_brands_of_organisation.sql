-- The operator's list of all brands of an organisation, archived ones too.
create index brands_of_organisation on brands (org_id, created_at, id);
