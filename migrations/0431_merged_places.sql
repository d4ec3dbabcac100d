-- Two properties of a customer that are one address become one, and are taken apart again.

create table property_merges (
  business_id uuid not null,
  id uuid not null,
  kept_id uuid not null,
  gone_id uuid not null,
  moved jsonb not null,
  before jsonb not null,
  swapped boolean not null,
  kept_version integer not null,
  at timestamptz not null,
  by_user_id uuid,
  undone_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, kept_id) references properties on delete cascade,
  foreign key (business_id, gone_id) references properties on delete cascade,
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index property_merges_kept on property_merges (business_id, kept_id, at desc);
create index property_merges_gone on property_merges (business_id, gone_id);
create index property_merges_by on property_merges (business_id, by_user_id) where by_user_id is not null;
select guard_tenant_table('property_merges');
comment on column property_merges.moved is 'By table the ids that went to the kept property.';
comment on column property_merges.swapped is 'The measurements of the other property stand: both changed theirs.';

-- What was applied stays word for word; where and for whom it is kept can be said anew, as `grant` names it.
create or replace function keep_application() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2
        and (tg_table_name = 'application_amendments' or to_jsonb(old)->>'applied_at' > to_jsonb(now() - interval '5 years')#>>'{}')
        and exists (select 1 from businesses b where b.business_id = old.business_id and b.closed_at is null) then
      raise exception 'the record of an application is kept for five years' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and n.key not in ('customer_id', 'property_id')
        and (n.value <> 'null' or n.key not in ('visit_id', 'entered_by', 'amended_by'))) then
    raise exception 'the record of an application is never changed: amend it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
grant update (property_id) on application_records to swath_app;
