-- Links that people get by mail, where a session was last used, one owner for each business, and the end of a business.

-- What a mailed link does; the token stands only as a hash in public_tokens (kind 'account').
create table account_links (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('verifyEmail', 'changeEmail', 'signIn', 'resetPassword')),
  email text not null check (email = lower(email)),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index account_links_user on account_links (business_id, user_id, purpose);
select guard_tenant_table('account_links');
comment on column account_links.email is 'Where the link went; a link to an address that is no longer the person''s does nothing.';

alter table sessions add column last_used_at timestamptz not null default now();

create unique index users_one_owner on users (business_id) where role = 'Owner' and archived_at is null;

alter table businesses add column closed_at timestamptz;
alter table businesses add column delete_after timestamptz;
alter table businesses add check ((closed_at is null) = (delete_after is null));
comment on column businesses.delete_after is 'A closed business is deleted with all its records after this instant; until then its owner can open it again.';

-- Deletes a closed business whose time is over, with every record of every table. The application cannot delete a business in any other way.
-- Tables hold each other by foreign keys, so each pass deletes what nothing holds any more.
create function delete_closed_business(target uuid) returns boolean language plpgsql security definer set search_path = public as $$
declare
  waiting text[];
  still text[];
  name text;
begin
  perform set_config('app.business_id', target::text, true);
  perform 1 from businesses where business_id = target and delete_after is not null and delete_after <= now() for update;
  if not found then return false; end if;
  select array_agg(format('%I', c.relname) order by c.relname) into waiting
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'businesses';
  while cardinality(waiting) > 0 loop
    still := '{}';
    foreach name in array waiting loop
      begin
        execute 'delete from ' || name || ' where business_id = $1' using target;
      exception when foreign_key_violation or restrict_violation then
        still := still || name;
      end;
    end loop;
    if cardinality(still) = cardinality(waiting) then
      raise exception 'Records of business % hold each other: %', target, still;
    end if;
    waiting := still;
  end loop;
  delete from businesses where business_id = target;
  return true;
end $$;
revoke all on function delete_closed_business(uuid) from public;
grant execute on function delete_closed_business(uuid) to swath_app;
