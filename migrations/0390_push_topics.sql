-- What a person does not want to be rung for; what is not named here rings.

create table push_mutes (
  business_id uuid not null,
  user_id uuid not null,
  topic text not null check (topic in ('day', 'chat', 'time', 'needsYou', 'replies', 'jobs', 'quotes', 'money', 'other')),
  created_at timestamptz not null default now(),
  primary key (business_id, user_id, topic),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('push_mutes');
