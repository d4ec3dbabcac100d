-- What a service's price, minutes and material go by.
alter table services add column measured_by text not null default 'lawn' check (measured_by in ('lawn', 'beds', 'edges'));
comment on column services.measured_by is 'What of a property its price, minutes and material go by: square feet of lawn or of beds, or feet of edges.';

-- behind the wall of the tenants there are no rows to change
alter table services no force row level security;
-- work in beds of the usual services, as long as nobody has touched it; its price does not grow, so no price changes
update services set measured_by = 'beds'
where code in ('mulch', 'hedge', 'bed-weeding') and version = 1 and archived_at is null
  and name in ('Mulch installed', 'Hedge and shrub trimming', 'Bed weeding')
  and not jsonb_path_exists(price_rule, '$.tiers[*].centsPerKsqft ? (@ > 0)') and coalesce((time_rule ->> 'minutesPerKsqft')::numeric, 0) = 0;
alter table services force row level security;

-- An edge may be typed in feet: then it has no square feet.
alter table property_areas drop constraint property_areas_square_feet_check,
  add constraint property_areas_square_feet_check check (square_feet <= 50000000 and (square_feet >= 1 or kind = 'edge' and square_feet = 0 and feet_around >= 1));
