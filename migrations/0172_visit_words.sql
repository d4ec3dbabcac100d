-- What a crew says of a visit in three parts: to the office (note), to the customer, and for whoever comes next; and the phrases it may pick.

alter table visits
  add column customer_note text not null default '' check (length(customer_note) <= 2000),
  add column next_note text not null default '' check (length(next_note) <= 2000);
comment on column visits.customer_note is 'What the customer reads of it, in the words of the crew.';
comment on column visits.next_note is 'What the crew of the next visit at this property reads.';

-- The newest finished visit of a property, found without walking its history.
create index visits_last_done on visits (business_id, property_id, day desc, id desc) where status = 'completed';

create table stop_settings (
  business_id uuid primary key references businesses on delete cascade,
  phrases jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('stop_settings');
comment on column stop_settings.phrases is 'What crews may pick instead of typing: [{id, part, en, es}].';
