-- Some background work waits while there is other: the books of a business are brought up to date after its customers have their mail. The
-- older form stays for processes of the release before this one.
create function tasks.enqueue(task text, payload jsonb, job_key text, run_at timestamptz, max_attempts integer, queue text, priority integer)
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
    queue_name => queue, run_at => run_at, max_attempts => max_attempts, job_key => job_key, job_key_mode => 'replace',
    priority => priority);
end $$;
revoke all on function tasks.enqueue(text, jsonb, text, timestamptz, integer, text, integer) from public;
grant execute on function tasks.enqueue(text, jsonb, text, timestamptz, integer, text, integer) to swath_app;
