-- Reviews: what customers are asked for after a visit, what they answered, and what of it stands on the public page.

create table review_settings (
  business_id uuid not null references businesses on delete cascade,
  enabled boolean not null default false,
  enabled_at timestamptz,
  delay_hours integer not null default 24 check (delay_hours between 1 and 168),
  every_days integer not null default 90 check (every_days between 30 and 730),
  google_url text not null default '' check (length(google_url) <= 500),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id)
);
select guard_tenant_table('review_settings');
comment on table review_settings is 'Whether and when customers are asked for a review; without a row nobody is.';
comment on column review_settings.enabled_at is 'Visits that were done before are not asked about.';

create table review_asks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  visit_id uuid not null,
  expires_at timestamptz not null,
  recalled_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, visit_id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, visit_id) references visits on delete cascade
);
create index review_asks_customer on review_asks (business_id, customer_id, created_at desc);
create index review_asks_made on review_asks (business_id, created_at desc);
select guard_tenant_table('review_asks');
comment on table review_asks is 'A customer was asked how a visit was; the private link names the ask.';
comment on column review_asks.recalled_at is 'Nothing of it ever left: the visit was opened again, or something came up before the message went.';

create table reviews (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  ask_id uuid not null,
  customer_id uuid not null,
  visit_id uuid not null,
  stars integer not null check (stars between 1 and 5),
  words text not null default '' check (length(words) <= 2000),
  language text not null default 'en' check (language in ('en', 'es')),
  author text not null,
  city text not null default '',
  published boolean not null,
  answered_at timestamptz not null,
  changed_at timestamptz,
  handled_at timestamptz,
  handled_by uuid,
  reply text not null default '' check (length(reply) <= 2000),
  replied_at timestamptz,
  replied_by uuid,
  hidden_reason text check (hidden_reason in ('abuse', 'personal_data', 'not_a_customer')),
  hidden_note text not null default '' check (length(hidden_note) <= 500),
  hidden_at timestamptz,
  hidden_by uuid,
  version integer not null default 1,
  primary key (business_id, id),
  unique (business_id, ask_id),
  check ((hidden_at is null) = (hidden_reason is null)),
  foreign key (business_id, ask_id) references review_asks on delete cascade,
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, handled_by) references users on delete set null (handled_by),
  foreign key (business_id, replied_by) references users on delete set null (replied_by),
  foreign key (business_id, hidden_by) references users on delete set null (hidden_by)
);
create index reviews_public on reviews (business_id, id desc) where published and hidden_at is null;
create index reviews_needs on reviews (business_id, id desc) where stars <= 3 and handled_at is null;
create index reviews_low on reviews (business_id, id desc) where stars <= 3;
create index reviews_unanswered on reviews (business_id, id desc) where replied_at is null;
create index reviews_hidden on reviews (business_id, id desc) where hidden_at is not null;
create index reviews_private on reviews (business_id, id desc) where not published;
create index reviews_customer on reviews (business_id, customer_id, id desc);
create index reviews_visit on reviews (business_id, visit_id);
create index reviews_handled_by on reviews (business_id, handled_by) where handled_by is not null;
create index reviews_replied_by on reviews (business_id, replied_by) where replied_by is not null;
create index reviews_hidden_by on reviews (business_id, hidden_by) where hidden_by is not null;
select guard_tenant_table('reviews');
comment on table reviews is 'One answer to one ask. The customer alone decides whether it is published, whatever its stars.';
comment on column reviews.author is 'As it stands on the page: first name and initial.';
comment on column reviews.hidden_reason is 'Why the owner took it off the page; few stars are no reason.';

create table review_totals (
  business_id uuid not null references businesses on delete cascade,
  stars integer not null check (stars between 1 and 5),
  count integer not null check (count >= 0),
  primary key (business_id, stars)
);
select guard_tenant_table('review_totals');
comment on table review_totals is 'How many reviews of as many stars stand on the public page, so that no look counts them all.';
