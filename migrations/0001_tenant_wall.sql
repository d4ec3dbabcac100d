-- The wall between businesses, and the schemas. The roles swath_app and swath_prospects are made before the first migration (src/platform/db/migrate.ts).
-- Every tenant table: primary key (business_id, id); unique and foreign keys start with business_id; row-level security forced.

grant usage on schema public to swath_app;

-- The tenant of the running transaction; null when none is set, so that nothing is seen and nothing can be written.
create function current_business_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.business_id', true), '')::uuid $$;

-- Puts a tenant table behind the wall and opens it for the application's role.
create function guard_tenant_table(name regclass, privileges text default 'select, insert, update, delete') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %s using (business_id = current_business_id()) with check (business_id = current_business_id())', name);
  execute format('grant %s on %s to swath_app', privileges, name);
end $$;

-- Background work: the application may only ask for a task, and its business is the one of its own transaction.
create schema tasks;
grant usage on schema tasks to swath_app, swath_prospects;

-- The product owner's funnel: lawn-care companies that may become businesses. It belongs to no tenant, so it stands in a schema and under a role of
-- its own: swath_app (requests and tasks of businesses) has no right on it, swath_prospects none on anything of a business.
create schema prospects;
grant usage on schema prospects to swath_prospects;
alter default privileges in schema prospects grant select, insert, update, delete on tables to swath_prospects;
