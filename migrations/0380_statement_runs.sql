-- Statements to all who owe: a run walks through them in steps and says of each customer what became of theirs.

create table statement_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('running', 'done')),
  from_on date not null,
  to_on date not null check (to_on >= from_on),
  expected integer not null check (expected >= 0),
  reached_to uuid,
  collected boolean not null default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, created_by) references users on delete set null (created_by)
);
create index statement_runs_created_by on statement_runs (business_id, created_by) where created_by is not null;
create unique index statement_runs_running on statement_runs (business_id) where status = 'running';
create index statement_runs_last on statement_runs (business_id, created_at desc, id);
select guard_tenant_table('statement_runs');
comment on table statement_runs is 'A sending of statements to all who owe; one of a business at a time.';
comment on column statement_runs.expected is 'How many were counted when somebody pressed.';
comment on column statement_runs.reached_to is 'The last customer that was looked at: the next step begins after them.';

create table statement_sendings (
  business_id uuid not null,
  run_id uuid not null,
  customer_id uuid not null,
  state text not null check (state in ('waiting', 'sent', 'settled', 'unreached', 'failed')),
  problem text not null default '' check (length(problem) <= 500),
  updated_at timestamptz not null default now(),
  primary key (business_id, run_id, customer_id),
  foreign key (business_id, run_id) references statement_runs on delete cascade,
  foreign key (business_id, customer_id) references customers on delete cascade
);
create index statement_sendings_state on statement_sendings (business_id, run_id, state, customer_id);
create index statement_sendings_customer on statement_sendings (business_id, customer_id);
select guard_tenant_table('statement_sendings');
comment on column statement_sendings.state is 'settled: they paid, or were put on hold, before theirs was drawn. unreached: neither a mail nor a text reaches them.';
