-- What every request needs, and background work.

create table rate_limits (
  key text primary key,
  count integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz
);
grant select, insert, update, delete on rate_limits to swath_app;

-- A key and its answer are rows of the work's own transaction: nobody ever sees a key without its answer, but for work in steps (decision 004).
create table idempotency_keys (
  business_id uuid not null references businesses on delete cascade,
  actor text not null,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  answer text,
  created_at timestamptz not null default now(),
  primary key (business_id, actor, endpoint, key)
);
create index idempotency_keys_age on idempotency_keys (business_id, created_at);
comment on column idempotency_keys.answer is 'The answer as it was sent, JSON. Null: work in steps that has begun and not ended; a repeat takes it up.';
select guard_tenant_table('idempotency_keys');

create table counters (
  business_id uuid not null references businesses on delete cascade,
  name text not null,
  next integer not null,
  primary key (business_id, name)
);
select guard_tenant_table('counters');

create table audit_log (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  actor_kind text not null,
  actor_id uuid,
  action text not null,
  entity_type text not null,
  entity_id uuid,
  before jsonb,
  after jsonb,
  request_id text,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index audit_log_entity on audit_log (business_id, entity_type, entity_id, at);
select guard_tenant_table('audit_log', 'select, insert');

create table events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null,
  payload jsonb not null,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index events_at on events (business_id, at);
select guard_tenant_table('events', 'select, insert, delete');

create table notifications (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  type text not null check (type in ('sms', 'email', 'job', 'invoice', 'quote', 'system', 'other')),
  title text not null,
  content text not null default '',
  customer_id uuid,
  path text,
  dedupe_key text,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, user_id, dedupe_key),
  foreign key (business_id, user_id) references users on delete cascade
);
create index notifications_user on notifications (business_id, user_id, created_at desc);
create index notifications_unread on notifications (business_id, user_id) where read_at is null;
select guard_tenant_table('notifications');

create table webhook_events (
  provider text not null,
  account text not null default '',
  event_id text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  error text,
  primary key (provider, account, event_id)
);
create index webhook_events_age on webhook_events (received_at);
grant select, insert, update, delete on webhook_events to swath_app;

-- The application asks for background work only through these two functions. The business of a task is the one of the asking
-- transaction, so a payload cannot name another. graphile_worker itself is migrated by the library before the first start.
create function tasks.enqueue(task text, payload jsonb, job_key text, run_at timestamptz, max_attempts integer, queue text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  business uuid := nullif(current_setting('app.business_id', true), '')::uuid;
begin
  if business is null then
    raise exception 'tasks.enqueue needs the transaction of a business';
  end if;
  perform graphile_worker.add_job(
    identifier => task,
    payload => json_build_object('businessId', business, 'payload', payload),
    queue_name => queue, run_at => run_at, max_attempts => max_attempts, job_key => job_key, job_key_mode => 'replace');
end $$;
revoke all on function tasks.enqueue(text, jsonb, text, timestamptz, integer, text) from public;
grant execute on function tasks.enqueue(text, jsonb, text, timestamptz, integer, text) to swath_app;

-- For what arrives without a business: stored webhooks only.
create function tasks.enqueue_webhook(provider text, account text, event_id text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(
    identifier => 'webhooks.process',
    payload => json_build_object('provider', provider, 'account', account, 'eventId', event_id),
    max_attempts => 10, job_key => 'webhook:' || provider || ':' || account || ':' || event_id);
end $$;
revoke all on function tasks.enqueue_webhook(text, text, text) from public;
grant execute on function tasks.enqueue_webhook(text, text, text) to swath_app;

-- Background work of the funnel: only its own kinds of task can be asked for, and no business can be named.
create function tasks.enqueue_prospect(task text, payload jsonb, job_key text, run_at timestamptz, max_attempts integer)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if task !~ '^prospects\.' then
    raise exception 'tasks.enqueue_prospect takes only tasks of the funnel';
  end if;
  perform graphile_worker.add_job(
    identifier => task, payload => payload::json, run_at => run_at, max_attempts => max_attempts, job_key => job_key, job_key_mode => 'replace');
end $$;
revoke all on function tasks.enqueue_prospect(text, jsonb, text, timestamptz, integer) from public;
grant execute on function tasks.enqueue_prospect(text, jsonb, text, timestamptz, integer) to swath_prospects;

-- Tasks that ran out of tries. The product owner's role sees which business a task is of by its id alone, and no payload.
create function tasks.list_failed(most integer)
returns table (id bigint, task text, business_id uuid, attempts integer, last_error text, created_at timestamptz, failed_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select j.id, t.identifier, (j.payload ->> 'businessId')::uuid, j.attempts::integer, j.last_error, j.created_at, j.updated_at
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.attempts >= j.max_attempts and j.locked_at is null
  order by j.updated_at desc, j.id desc limit most;
end $$;

create function tasks.retry_failed(job bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform 1 from graphile_worker._private_jobs j where j.id = job and j.attempts >= j.max_attempts and j.locked_at is null for update;
  if not found then return false; end if;
  perform graphile_worker.reschedule_jobs(array[job], run_at => now(), attempts => 0);
  return true;
end $$;

create function tasks.discard_failed(job bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform 1 from graphile_worker._private_jobs j where j.id = job and j.attempts >= j.max_attempts and j.locked_at is null for update;
  if not found then return false; end if;
  perform graphile_worker.complete_jobs(array[job]);
  return true;
end $$;

revoke all on function tasks.list_failed(integer), tasks.retry_failed(bigint), tasks.discard_failed(bigint) from public;
grant execute on function tasks.list_failed(integer), tasks.retry_failed(bigint), tasks.discard_failed(bigint) to swath_prospects;

create table task_pools (
  pool_id text primary key,
  seen_at timestamptz not null
);
comment on table task_pools is 'Heartbeat of each worker; the tasks of one that has been silent are given back.';
