-- A line can have several prices ahead of it: one from May on and another from July on, each taken back by itself.
alter table job_lines
  add column later_prices jsonb not null default '[]',
  add check (next_price_on is not null or later_prices = '[]');
comment on column job_lines.later_prices is 'Prices after the one of next_price_on, by day: [{"on": "2026-07-01", "cents": 5800}].';

create function line_price_on(unit_cents integer, next_cents integer, next_on date, later jsonb, day date) returns integer
  language sql immutable parallel safe as $$
  select case when next_on is null or next_on > day then unit_cents
    else coalesce((select (step->>'cents')::integer from jsonb_array_elements(later) step
      where (step->>'on')::date <= day order by step->>'on' desc limit 1), next_cents) end
$$;
comment on function line_price_on is 'What one unit of a line costs on a day; priceOn of jobs/prices/rules.ts.';
