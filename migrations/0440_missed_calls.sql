-- Each call that nobody took, by the provider's own id: what is told twice happened once. How many texts went back in a day is counted here too.

create table missed_calls (
  business_id uuid not null references businesses on delete cascade,
  call_id text not null check (length(call_id) between 1 and 200),
  texted boolean not null default false,
  at timestamptz not null,
  primary key (business_id, call_id)
);
create index missed_calls_at on missed_calls (business_id, at);
select guard_tenant_table('missed_calls');
comment on table missed_calls is 'Kept for some weeks: longer than a provider tells of a call again.';
comment on column missed_calls.texted is 'A text went back to who called.';
