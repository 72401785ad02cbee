-- without transaction
-- A purge finds progress by this index, and so does the foreign key for each brand that it deletes. A failure leaves an
-- invalid index.
drop index concurrently if exists operation_progress_brand;
create index concurrently operation_progress_brand on operation_progress (brand_id) where brand_id is not null;
