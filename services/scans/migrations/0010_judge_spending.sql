-- What the LLM judge cost in a UTC month. A call adds its estimate before it starts and corrects it at its end, so that
-- the calls of all replicas together stay within the budget.
create table judge_spending (
  -- The first day of the month.
  month date primary key,
  spent_usd numeric(14, 6) not null check (spent_usd >= 0)
);
