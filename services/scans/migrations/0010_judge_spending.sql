-- Cost of the LLM judge model in a UTC month. A call adds its estimate before it starts and corrects it at its end. The
-- calls of all replicas together therefore stay within the budget.
create table judge_spending (
  -- The first day of the month.
  month date primary key,
  spent_usd numeric(14, 6) not null check (spent_usd >= 0)
);
