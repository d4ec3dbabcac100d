-- A photo of a crew on a line that breaks: it comes in pieces and goes on where it stopped.
create table upload_pieces (
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null,
  upload_id uuid not null,
  start_byte integer not null check (start_byte >= 0),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  created_at timestamptz not null default now(),
  primary key (business_id, user_id, upload_id, start_byte),
  foreign key (business_id, user_id) references users on delete cascade
);
create index upload_pieces_created on upload_pieces (business_id, created_at);
select guard_tenant_table('upload_pieces', 'select, insert, delete');
comment on table upload_pieces is 'What has come of a photo that is sent in pieces; gone as soon as it is whole and kept.';
comment on column upload_pieces.upload_id is 'Made by the phone: the id of the photo.';
