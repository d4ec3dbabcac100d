-- What a business buys to put on lawns and in beds: how much of it there is, every movement of that, what goes on which visit, and what is to be bought.

create table material_settings (
  business_id uuid primary key references businesses on delete cascade,
  payload_pounds integer not null default 2000 check (payload_pounds between 100 and 100000),
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('material_settings');
comment on column material_settings.payload_pounds is 'What a truck of the business carries: a load above it is warned of.';

create table material_laws_off (
  business_id uuid not null references businesses on delete cascade,
  state text not null check (state ~ '^[A-Z]{2}$'),
  reason text not null check (length(reason) between 3 and 300),
  user_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, state),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index material_laws_off_user on material_laws_off (business_id, user_id) where user_id is not null;
select guard_tenant_table('material_laws_off');
comment on table material_laws_off is 'States whose limits of fertilizer the calculator does not hold the business to, with who said so and why.';

create table materials (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('fertilizer', 'seed', 'mulch', 'topsoil', 'compost', 'gravel', 'sod', 'lime', 'herbicide', 'other')),
  name text not null check (length(name) between 1 and 80),
  package text not null check (package in ('bag', 'yard', 'pallet', 'jug', 'box', 'roll', 'piece')),
  package_size numeric(10,3) not null check (package_size > 0),
  unit text not null check (unit in ('lb', 'oz', 'fl oz', 'gal', 'yd', 'cu ft', 'sq ft', 'ml', 'g', 'each')),
  weight_pounds numeric(8,2) check (weight_pounds > 0),
  nitrogen_percent numeric(4,1) check (nitrogen_percent between 0 and 100),
  phosphate_percent numeric(4,1) check (phosphate_percent between 0 and 100),
  potash_percent numeric(4,1) check (potash_percent between 0 and 100),
  slow_percent numeric(4,1) check (slow_percent between 0 and 100),
  purity_percent numeric(4,1) check (purity_percent > 0 and purity_percent <= 100),
  germination_percent numeric(4,1) check (germination_percent > 0 and germination_percent <= 100),
  product_id uuid,
  cost_cents integer check (cost_cents between 0 and 100000000),
  on_hand numeric(12,2) not null default 0 check (on_hand >= 0),
  reorder_at numeric(10,2) check (reorder_at >= 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, product_id) references chemical_products on delete set null (product_id)
);
create unique index materials_name on materials (business_id, lower(name)) where archived_at is null;
create index materials_low on materials (business_id) where archived_at is null and on_hand <= reorder_at;
create index materials_product on materials (business_id, product_id) where product_id is not null;
select guard_tenant_table('materials');
comment on column materials.package_size is 'How much of `unit` is in one package.';
comment on column materials.weight_pounds is 'Of one package; null where it follows from the package or nobody knows.';
comment on column materials.slow_percent is 'Of the nitrogen, what is slow release by the label.';
comment on column materials.product_id is 'The product of the library whose label says how much of it may go down.';
comment on column materials.cost_cents is 'Of one package.';
comment on column materials.on_hand is 'Packages: the sum of its moves, kept with each of them.';

create table material_moves (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  material_id uuid not null,
  kind text not null check (kind in ('count', 'received', 'used')),
  packages numeric(12,2) not null,
  on_hand_after numeric(12,2) not null check (on_hand_after >= 0),
  note text not null default '' check (length(note) <= 300),
  visit_id uuid,
  user_id uuid,
  moved_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, material_id) references materials on delete cascade,
  foreign key (business_id, visit_id) references visits on delete set null (visit_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index material_moves_last on material_moves (business_id, material_id, moved_at desc, id desc);
create index material_moves_visit on material_moves (business_id, visit_id) where visit_id is not null;
create index material_moves_user on material_moves (business_id, user_id) where user_id is not null;
select guard_tenant_table('material_moves', 'select, insert');
comment on table material_moves is 'Every movement of what there is of a material; added, never changed.';
comment on column material_moves.packages is 'What there is more (positive) or less (negative) by it.';

create table material_plans (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  material_id uuid not null,
  visit_id uuid,
  place text not null check (length(place) between 1 and 300),
  amount numeric(14,3) not null check (amount > 0),
  choice jsonb not null,
  user_id uuid,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, material_id) references materials on delete cascade,
  foreign key (business_id, visit_id) references visits on delete set null (visit_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index material_plans_visit on material_plans (business_id, visit_id) where visit_id is not null;
create index material_plans_material on material_plans (business_id, material_id);
create index material_plans_open on material_plans (business_id, created_at) where used_at is null;
create index material_plans_user on material_plans (business_id, user_id) where user_id is not null;
select guard_tenant_table('material_plans');
comment on table material_plans is 'What of a material a visit takes, as the calculator reckoned it; it is on the load list of whatever day and crew the visit is with.';
comment on column material_plans.amount is 'Exact, in the material''s unit: packages are counted over all of a day.';
comment on column material_plans.place is 'Where, in words, for when the visit is gone.';
comment on column material_plans.used_at is 'It was taken from what is on hand.';

create table material_wants (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  material_id uuid not null,
  packages numeric(10,2) not null check (packages > 0),
  received numeric(10,2) not null default 0 check (received between 0 and packages),
  note text not null default '' check (length(note) <= 300),
  user_id uuid,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, material_id) references materials on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index material_wants_open on material_wants (business_id, material_id, created_at) where done_at is null;
create index material_wants_material on material_wants (business_id, material_id);
create index material_wants_user on material_wants (business_id, user_id) where user_id is not null;
select guard_tenant_table('material_wants');
comment on table material_wants is 'Packages that somebody put on the purchase list; what comes in settles them, the oldest first.';
