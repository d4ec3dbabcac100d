-- Mail that came back for now: a full box, a server that is away. On three days of two weeks it is a box that nobody empties.
create table mail_troubles (
  business_id uuid not null references businesses on delete cascade,
  address text not null check (length(address) between 3 and 254),
  day date not null,
  reason text not null check (length(reason) <= 300),
  primary key (business_id, address, day)
);
create index mail_troubles_old on mail_troubles (business_id, day);
select guard_tenant_table('mail_troubles');
comment on table mail_troubles is 'Days on which mail to an address came back for now; three within two weeks shut it.';
