-- An hour of pay that the law of a state gives for a meal that somebody did not have in time, once the office says that it is owed.

create table meal_premiums (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  day date not null,
  said_by uuid,
  said_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, user_id, day),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, said_by) references users on delete set null (said_by)
);
create index meal_premiums_day on meal_premiums (business_id, day);
create index meal_premiums_said_by on meal_premiums (business_id, said_by) where said_by is not null;
select guard_tenant_table('meal_premiums');
comment on table meal_premiums is 'One a person and day (Cal. Labor Code 226.7); no row, nothing is paid.';
