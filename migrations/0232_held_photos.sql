-- What a phone brings of a visit that is with another crew by now, or gone: its photos wait here, and what nobody has decided is found without
-- reading what was.

create table held_photos (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  visit_id uuid not null,
  file_id uuid not null,
  kind text not null check (kind in ('before', 'after', 'other')),
  caption text not null default '' check (length(caption) <= 200),
  taken_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, file_id) references files on delete restrict
);
create index held_photos_visit on held_photos (business_id, visit_id, user_id);
create index held_photos_user on held_photos (business_id, user_id);
create index held_photos_file on held_photos (business_id, file_id);
select guard_tenant_table('held_photos');
comment on table held_photos is 'Until the office says that the work counts; then they are photos of the visit. What does not count stays here.';
comment on column held_photos.visit_id is 'As the phone named it; the visit itself may be gone.';

create index crew_commands_open on crew_commands (business_id, visit_id) where result = 'conflict' and decided_at is null;
