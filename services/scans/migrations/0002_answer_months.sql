-- Units asked in a UTC month, whatever their outcome, and their cost at the prices of their time: null if one had no price.
create table answer_months (
  month date not null,
  org_id uuid not null,
  units integer not null,
  cost_usd numeric(14, 6),
  primary key (month, org_id)
);
