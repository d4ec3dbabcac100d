-- How a business quotes: what is off for a place that its crews pass anyway, and whether the customer hears of the day.

create table quote_rules (
  business_id uuid not null references businesses on delete cascade primary key,
  density_percent integer not null default 0 check (density_percent between 0 and 5000),
  density_minutes integer not null default 10 check (density_minutes between 0 and 120),
  offers_day boolean not null default true,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('quote_rules');
comment on column quote_rules.density_percent is 'Hundredths of a percent off where the best day adds at most density_minutes of driving a visit; 0 gives none.';
