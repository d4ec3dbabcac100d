-- A rate of sales tax holds at places, from a day to a day, and says whether it comes on top of a wider one or stands in its place.

alter table tax_rates
  add column places text[] not null default '{}' check (cardinality(places) <= 200),
  add column on_top boolean not null default false,
  add column valid_from date,
  add column valid_to date,
  add constraint tax_rates_days check (valid_to >= valid_from);

comment on column tax_rates.places is 'ZIP codes and cities of its state in which it holds; empty is everywhere in the state.';
comment on column tax_rates.on_top is 'Charged beside the nearest other rate of its category, not in its place.';
comment on column tax_rates.valid_from is 'First day of work on which it is charged; null is ever since.';
comment on column tax_rates.valid_to is 'Last day of work on which it is charged; null is until further notice.';

-- What stood side by side was added up: it goes on so, and the settings say what comes on top. The wall stands for this update, too.
alter table tax_rates no force row level security;
update tax_rates r set on_top = true
where archived_at is null and exists (
  select from tax_rates o where o.business_id = r.business_id and o.archived_at is null and o.tax_category = r.tax_category
    and (o.state = r.state or o.state is null or r.state is null) and (o.created_at, o.id) < (r.created_at, r.id));
alter table tax_rates force row level security;
