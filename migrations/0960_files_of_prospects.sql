-- What comes with texts and mail of a prospect is kept.
create table prospects.message_files (
  id uuid primary key,
  message_id uuid not null references prospects.messages on delete cascade,
  name text not null,
  mime text not null check (mime in ('image/jpeg', 'application/pdf')),
  storage_key text not null,
  byte_count integer not null,
  created_at timestamptz not null default now()
);
create index message_files_message on prospects.message_files (message_id);
comment on table prospects.message_files is 'Photos and PDFs that came in. Their bytes lie beside those of the businesses, in a folder that is none of theirs.';
alter table prospects.messages add column not_kept text;
comment on column prospects.messages.not_kept is 'What came with it and is not here, as a sentence.';
