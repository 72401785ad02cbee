-- The trace the event came about in: its attempts continue it, whenever they are made.
alter table events add column traceparent text;
