-- Extra work that a crew sells at the door: which services, what was sold, and what the customer said to it, kept as it was.

alter table services add column sold_at_door boolean not null default false;
comment on column services.sold_at_door is 'Crews may offer it at a stop.';

alter table visit_extras drop constraint visit_extras_kind_check;
alter table visit_extras add constraint visit_extras_kind_check check (kind in ('overgrown', 'sold'));
alter table visit_extras drop constraint visit_extras_state_check;
alter table visit_extras add constraint visit_extras_state_check
  check (state in ('asked', 'waiting', 'added', 'booked', 'declined', 'refused', 'withdrawn'));
alter table visit_extras
  add column planned text check (planned in ('today', 'later')),
  add column shown_cents integer check (shown_cents >= 0);
comment on column visit_extras.planned is 'Of what was sold: whether the crew does it today, or the office gives it a day.';
comment on column visit_extras.shown_cents is 'What the customer was shown; the price may be another one by now.';
create index visit_extras_asked on visit_extras (business_id, at) where state = 'asked';

create table extra_consents (
  business_id uuid not null references businesses on delete cascade,
  extra_id uuid not null,
  way text not null check (way in ('signature', 'link')),
  answer text not null check (answer in ('yes', 'no')),
  words text not null check (length(words) between 1 and 1000),
  signer text not null default '' check (length(signer) <= 120),
  strokes jsonb,
  user_id uuid,
  at timestamptz not null,
  device_at timestamptz,
  latitude double precision,
  longitude double precision,
  accuracy_meters integer,
  ip text,
  created_at timestamptz not null,
  primary key (business_id, extra_id),
  foreign key (business_id, extra_id) references visit_extras on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index extra_consents_user on extra_consents (business_id, user_id) where user_id is not null;
select guard_tenant_table('extra_consents', 'select, insert');
comment on table extra_consents is 'What a customer agreed to at the door or by a link: never changed, and gone only with its visit.';
comment on column extra_consents.words is 'What they read, word for word, with the price of that moment.';

create function keep_consent() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and not (n.key = 'user_id' and n.value = 'null')) then
    raise exception 'what a customer agreed to is never changed' using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2 then
      raise exception 'what a customer agreed to is kept with its visit' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  return new;
end $$;
create trigger extra_consents_kept before update or delete on extra_consents for each row execute function keep_consent();
