-- Price letters: when they stood in the outbox, and which were printed. Learned minutes: what was planned when a proposal was left.
alter table price_changes
  add column told_at timestamptz,
  add column printed_at timestamptz,
  add column printed_by uuid,
  add column printed_customer_ids uuid[] not null default '{}';
comment on column price_changes.told_at is 'When every notice of it stood in the outbox: from then on whoever has none that left or waits is to be told on paper.';
comment on column price_changes.printed_customer_ids is 'Customers whose letter was printed, the last of them at printed_at.';

alter table minutes_dismissals add column budget_minutes integer check (budget_minutes >= 0);
comment on column minutes_dismissals.budget_minutes is 'What was planned then; another plan is another question.';

-- behind the wall of the tenants there are no rows to change
alter table price_changes no force row level security;
alter table minutes_dismissals no force row level security;
alter table job_lines no force row level security;
update price_changes set told_at = created_at;
update minutes_dismissals d set budget_minutes = l.budget_minutes
from job_lines l where l.business_id = d.business_id and l.id = d.job_line_id;
alter table price_changes force row level security;
alter table minutes_dismissals force row level security;
alter table job_lines force row level security;
alter table minutes_dismissals alter column budget_minutes set not null;

create function line_price_by_terms(
  line uuid, earlier jsonb, unit_cents integer, next_cents integer, next_on date, later jsonb, day date
) returns integer
  language sql immutable parallel safe as $$
  select coalesce(
    (select line_price_on((kept->>'unitPriceCents')::integer, (kept->>'nextUnitPriceCents')::integer, (kept->>'nextPriceOn')::date,
        coalesce(kept->'laterPrices', '[]'), day)
      from jsonb_array_elements(earlier) terms cross join lateral jsonb_array_elements(terms->'lines') kept
      where (terms->>'until')::date > day and (kept->>'id')::uuid = line order by terms->>'until' limit 1),
    line_price_on(unit_cents, next_cents, next_on, later, day))
$$;
comment on function line_price_by_terms is 'The same with what holds of the job until a day that is still to come (jobs.earlier_terms).';
