-- An import brings jobs and open balances, too, and finds again whom another file of the same program brought.

alter table customers add column source_key text check (length(source_key) <= 200);
comment on column customers.source_key is 'What the program that a customer came from calls them, as "jobber:4711": a second file of it finds them again.';
create index customers_source_key on customers (business_id, source_key) where source_key is not null;

alter table imports
  add column preset text not null default '',
  add column remembered boolean not null default false,
  add column header_key text not null default '',
  add column update_duplicates boolean not null default false,
  add column job_count integer not null default 0,
  add column balance_cents bigint not null default 0,
  add column made_services uuid[] not null default '{}';
comment on column imports.header_key is 'The headers of the file, hashed: the next file that looks like it is matched as this one was.';
create index imports_header_key on imports (business_id, header_key, created_at) where header_key <> '';
create index imports_latest on imports (business_id, created_at);

alter table import_rows
  add column attached boolean not null default false,
  add column match_id uuid,
  add column brings text[] not null default '{}' check (brings <@ array['job', 'balance']),
  add column filled jsonb;
comment on column import_rows.attached is 'Its customer was there before: the row adds to them.';
comment on column import_rows.match_id is 'Whom a double is taken for.';
comment on column import_rows.brings is 'What the check found in the row besides its customer.';
comment on column import_rows.filled is 'What was empty on its customer and property before, field by field: an undo empties it again.';

alter table jobs add column import_id uuid;
alter table jobs add foreign key (business_id, import_id) references imports on delete set null (import_id);
create index jobs_import on jobs (business_id, import_id) where import_id is not null;

alter table invoices add column import_id uuid, add column opening_from text check (length(opening_from) between 1 and 120);
alter table invoices add foreign key (business_id, import_id) references imports on delete set null (import_id);
create index invoices_import on invoices (business_id, import_id) where import_id is not null;
comment on column invoices.opening_from is 'Set where the invoice is what a customer owed before this business came here: which program said so. It was income there, never here.';
