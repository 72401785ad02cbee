-- Sum of the squared unit scores; null in days that were scored before the column existed.
alter table cell_days add column unit_score_squares double precision;
