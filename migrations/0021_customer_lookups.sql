-- Behind row-level security only leakproof conditions reach an index: = on the column does, lower() does not. E-mails are stored in lower case.
drop index customers_email;
create index customers_email on customers (business_id, email);

-- A foreign key is checked by a plan that the session keeps. On tables that were never analyzed it walks every row of the business instead of the one
-- it looks for, and an import into a new business grows with the square of its rows. The application does not own the tables, so it may only
-- ask for this: measures what changed much since the last time, and does nothing most of the time.
create function refresh_customer_statistics() returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  stale text;
begin
  for stale in
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' and s.relname in ('customers', 'properties', 'import_rows')
      and s.n_mod_since_analyze > greatest(400, c.reltuples * 0.2)
    order by s.relname
  loop
    execute format('analyze public.%I', stale);
  end loop;
exception when lock_not_available then
  null;
end $$;
revoke all on function refresh_customer_statistics() from public;
grant execute on function refresh_customer_statistics() to swath_app;
