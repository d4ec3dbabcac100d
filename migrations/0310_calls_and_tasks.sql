-- Calls with customers, as the office logs them, and what the office has still to do, each on its day.

create table customer_calls (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  direction text not null check (direction in ('out', 'in')),
  outcome text not null check (outcome in ('talked', 'voicemail', 'no_answer')),
  note text not null default '' check (length(note) <= 2000),
  user_id uuid,
  at timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index customer_calls_customer on customer_calls (business_id, customer_id, at desc, id desc);
create index customer_calls_user on customer_calls (business_id, user_id) where user_id is not null;
select guard_tenant_table('customer_calls');

create table office_tasks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  note text not null default '' check (length(note) <= 2000),
  due_on date not null,
  owner_id uuid,
  customer_id uuid,
  call_id uuid,
  created_by uuid,
  done_at timestamptz,
  done_by uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, owner_id) references users on delete set null (owner_id),
  foreign key (business_id, created_by) references users on delete set null (created_by),
  foreign key (business_id, done_by) references users on delete set null (done_by),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, call_id) references customer_calls on delete set null (call_id)
);
create index office_tasks_open on office_tasks (business_id, due_on, id) where done_at is null;
create index office_tasks_done on office_tasks (business_id, done_at desc, id desc) where done_at is not null;
create index office_tasks_owner on office_tasks (business_id, owner_id, due_on, id) where owner_id is not null;
create index office_tasks_customer on office_tasks (business_id, customer_id, due_on, id) where customer_id is not null;
create index office_tasks_call on office_tasks (business_id, call_id) where call_id is not null;
create index office_tasks_created_by on office_tasks (business_id, created_by) where created_by is not null;
create index office_tasks_done_by on office_tasks (business_id, done_by) where done_by is not null;
select guard_tenant_table('office_tasks');
comment on table office_tasks is 'What somebody of the office is to do; owner_id null is anybody. Work of the server stands in the queue, not here.';
comment on column office_tasks.call_id is 'The call whose follow-up it is.';
