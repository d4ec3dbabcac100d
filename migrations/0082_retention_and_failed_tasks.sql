-- What served its time can be deleted, a closed business of any size too, and tasks that gave up can be seen and tried again.

grant delete on events, crew_commands, webhook_events, public_tokens to swath_app;
create index webhook_events_age on webhook_events (received_at);
create index public_tokens_over on public_tokens (coalesce(revoked_at, expires_at));
create index tokens_over on prospects.tokens (coalesce(revoked_at, expires_at));

-- Deletes at most `most` records of a closed business whose time is over. Answers 'more' while there are records, 'gone' when the business went with the
-- last of them, 'kept' when it is not closed or its time is not over. A table's turn comes when nothing that points at it holds records any more, so that
-- no cascade makes one step long. The application cannot delete a business in any other way.
drop function delete_closed_business(uuid);
create function delete_closed_business(target uuid, most integer) returns text language plpgsql security definer set search_path = public as $$
declare
  waiting regclass[];
  holder regclass;
  name regclass;
  holds boolean;
  removed integer := 0;
  step integer;
  forced boolean;
begin
  perform set_config('app.business_id', target::text, true);
  perform 1 from businesses where business_id = target and delete_after is not null and delete_after <= now() for update;
  if not found then return 'kept'; end if;
  select array_agg(c.oid::regclass order by c.relname) into waiting
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'businesses';
  -- a second round without the rule of turns, for tables that point at each other
  foreach forced in array array[false, true] loop
    foreach name in array waiting loop
      holds := false;
      if not forced then
        for holder in
          select distinct conrelid::regclass from pg_constraint where contype = 'f' and confrelid = name and conrelid <> name and conrelid = any(waiting)
        loop
          execute format('select exists (select 1 from %s where business_id = $1)', holder) into holds using target;
          exit when holds;
        end loop;
      end if;
      continue when holds;
      begin
        execute format('delete from %1$s where ctid = any(array(select ctid from %1$s where business_id = $1 limit $2))', name) using target, most - removed;
        get diagnostics step = row_count;
        removed := removed + step;
      exception when foreign_key_violation or restrict_violation then
        -- rows of one table that point at each other, cut apart by the limit: all of them at once
        execute format('delete from %s where business_id = $1', name) using target;
        get diagnostics step = row_count;
        removed := removed + step;
      end;
      if removed >= most then return 'more'; end if;
    end loop;
    if removed > 0 then return 'more'; end if;
  end loop;
  delete from businesses where business_id = target;
  return 'gone';
end $$;
revoke all on function delete_closed_business(uuid, integer) from public;
grant execute on function delete_closed_business(uuid, integer) to swath_app;

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
