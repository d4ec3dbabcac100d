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

create table task_pools (
  pool_id text primary key,
  seen_at timestamptz not null
);
comment on table task_pools is 'Heartbeat of each worker; the tasks of one that has been silent are given back.';
