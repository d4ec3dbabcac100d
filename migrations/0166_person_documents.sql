-- Documents of a person: I-9, W-4, a driver's license. What they show is encrypted and in no folder of files, so that no signed address leads to it.

create table person_documents (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('i9', 'w4', 'license', 'certificate', 'contract', 'medical', 'other')),
  name text not null default '' check (length(name) <= 80),
  expires_on date,
  mime text not null check (mime in ('application/pdf', 'image/jpeg', 'image/png', 'image/webp')),
  byte_count integer not null check (byte_count > 0),
  added_by uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, added_by) references users on delete set null (added_by)
);
create index person_documents_person on person_documents (business_id, user_id) where removed_at is null;
create index person_documents_user on person_documents (business_id, user_id, created_at desc);
create index person_documents_expire on person_documents (business_id, expires_on) where removed_at is null and expires_on is not null;
create index person_documents_removed on person_documents (business_id, removed_at) where removed_at is not null;
create index person_documents_added_by on person_documents (business_id, added_by) where added_by is not null;
select guard_tenant_table('person_documents');
comment on column person_documents.removed_at is 'Off the list; 30 days later it is deleted with what it shows.';

create table person_document_files (
  business_id uuid not null references businesses on delete cascade,
  document_id uuid not null,
  sealed text not null,
  primary key (business_id, document_id),
  foreign key (business_id, document_id) references person_documents on delete cascade
);
select guard_tenant_table('person_document_files');
comment on column person_document_files.sealed is 'The bytes, encrypted with the key of this installation.';
