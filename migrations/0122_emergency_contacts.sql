-- Whom to call when something happens to a person at work.

create table emergency_contacts (
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  relation text not null default '' check (length(relation) <= 60),
  phone text not null check (length(phone) between 1 and 40),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('emergency_contacts');
