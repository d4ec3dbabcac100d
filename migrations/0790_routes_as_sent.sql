-- What a crew's day was sent with: its plan may change in the office long before the crew hears of it.
alter table routes add column published jsonb;
comment on column routes.published is 'What planned was when the route was sent to its crew last.';
comment on column routes.planned is 'Totals of the plan: {driveSeconds, driveMeters, laborCents, workSeconds, endMinute, homeSeconds, rest}; rest is the break: {beforeVisitId, minutes}, or null.';

-- behind the wall of the tenants there are no rows to change
alter table routes no force row level security;
-- days that are still to be worked; a route whose plan was changed since stays without
update routes set published = planned where status <> 'planned' and not dirty and day >= current_date - 2;
alter table routes force row level security;
