-- Cash and checks that a crew takes at the door, until the office has them.

alter table businesses add column door_payments boolean not null default false;
comment on column businesses.door_payments is 'Crew members who are allowed to may take cash and checks at a stop.';

create table cash_hand_ins (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  on_day date not null,
  cash_cents bigint not null check (cash_cents >= 0),
  counted_cents bigint not null check (counted_cents >= 0),
  check_cents bigint not null check (check_cents >= 0),
  check_count integer not null check (check_count >= 0),
  reason text not null default '' check (length(reason) <= 300),
  confirmed_by uuid,
  created_at timestamptz not null default now(),
  undone_on date,
  undone_reason text,
  undone_by uuid,
  primary key (business_id, id),
  check (counted_cents = cash_cents or reason <> ''),
  check ((undone_on is null) = (undone_reason is null)),
  foreign key (business_id, user_id) references users on delete cascade
);
create index cash_hand_ins_user on cash_hand_ins (business_id, user_id);
create index cash_hand_ins_day on cash_hand_ins (business_id, on_day);
select guard_tenant_table('cash_hand_ins');
comment on table cash_hand_ins is 'What a person brought to the office, counted there. One that was a mistake is undone on a day of its own, so that no closed month changes.';
comment on column cash_hand_ins.cash_cents is 'The cash of the receipts that came with it; what was counted may differ, with a reason.';

create table door_receipts (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  payment_id uuid not null,
  user_id uuid not null,
  visit_id uuid,
  reference text not null,
  check_number text not null default '' check (length(check_number) <= 40),
  collected_at timestamptz not null,
  hand_in_id uuid,
  photo_file_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, payment_id),
  foreign key (business_id, payment_id) references payments on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, visit_id) references visits on delete set null (visit_id),
  foreign key (business_id, hand_in_id) references cash_hand_ins,
  foreign key (business_id, photo_file_id) references files
);
create index door_receipts_user on door_receipts (business_id, user_id, collected_at);
create index door_receipts_held on door_receipts (business_id, collected_at) where hand_in_id is null;
create index door_receipts_visit on door_receipts (business_id, visit_id) where visit_id is not null;
create index door_receipts_hand_in on door_receipts (business_id, hand_in_id) where hand_in_id is not null;
create index door_receipts_photo on door_receipts (business_id, photo_file_id) where photo_file_id is not null;
select guard_tenant_table('door_receipts');
comment on table door_receipts is 'A payment that was taken at the door: by whom, where, and whether the office has the money. Its id is that of the phone''s command.';
comment on column door_receipts.reference is 'What the phone showed before the receipt had its number.';
