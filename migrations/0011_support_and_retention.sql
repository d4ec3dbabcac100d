-- Support looks at a business only while its Owner lets it in. What was granted, opened and looked at belongs to the business.

create table support_grants (
  business_id uuid not null,
  id uuid not null,
  granted_by uuid not null,
  hours integer not null check (hours in (1, 4, 24, 72)),
  note text not null default '' check (length(note) <= 500),
  granted_at timestamptz not null,
  expires_at timestamptz not null,
  notified_at timestamptz,
  ended_at timestamptz,
  ended_by uuid,
  primary key (business_id, id),
  foreign key (business_id, granted_by) references users,
  foreign key (business_id, ended_by) references users
);
comment on column support_grants.notified_at is 'When the Owner was told that support opened the business for the first time on this grant.';
comment on column support_grants.ended_at is 'Also set, to expires_at, when a new grant takes the place of one that ran out.';
create unique index support_grants_open on support_grants (business_id) where ended_at is null;
create index support_grants_granted_by on support_grants (business_id, granted_by);
select guard_tenant_table('support_grants');

create table support_visits (
  business_id uuid not null,
  id uuid not null,
  grant_id uuid not null,
  opened_by text not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, grant_id) references support_grants
);
create index support_visits_grant on support_visits (business_id, grant_id);
select guard_tenant_table('support_visits');

create table support_access_log (
  business_id uuid not null,
  visit_id uuid not null,
  area text not null check (length(area) <= 40),
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (business_id, visit_id, area),
  foreign key (business_id, visit_id) references support_visits
);
comment on column support_access_log.times is 'Looks, not requests: what a screen asks for at once counts once.';
select guard_tenant_table('support_access_log');

-- The way from the product owner's desk to a business that let support in, and nothing else of it.
create table support_lookups (
  business_id uuid primary key references businesses on delete cascade,
  grant_id uuid not null unique,
  expires_at timestamptz not null
);
grant select, insert, update, delete on support_lookups to swath_app;

-- Deletes at most `most` records of a closed business whose time is over. Answers 'more' while there are records, 'gone' when the business went with the
-- last of them, 'kept' when it is not closed or its time is not over. A table's turn comes when nothing that points at it holds records any more, so that
-- no cascade makes one step long. The way from the payment provider's customer stays: the nightly look at subscriptions ends what it finds there, then
-- clears it. The application cannot delete a business in any other way.
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
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('businesses', 'payment_customers');
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
