-- Cards for the doors beside a stop, and which doors got one.

create table door_cards (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  property_id uuid not null,
  code text not null check (code ~ '^[a-z0-9]{8}$'),
  language text not null check (language in ('en', 'es')),
  offer text not null check (length(offer) <= 120),
  by_user_id uuid,
  created_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, code),
  foreign key (business_id, property_id) references properties on delete cascade,
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index door_cards_property on door_cards (business_id, property_id, created_at desc);
create index door_cards_by on door_cards (business_id, by_user_id) where by_user_id is not null;
select guard_tenant_table('door_cards');
comment on column door_cards.code is 'Stands in the QR code: a lead that comes in by it names the stop.';

create table door_card_doors (
  business_id uuid not null references businesses on delete cascade,
  card_id uuid not null,
  position integer not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  address_key text generated always as (address_key(street, '', city, zip)) stored,
  asked_at timestamptz not null,
  primary key (business_id, card_id, position),
  foreign key (business_id, card_id) references door_cards on delete cascade
);
create index door_card_doors_address on door_card_doors (business_id, address_key, asked_at desc);
select guard_tenant_table('door_card_doors');
