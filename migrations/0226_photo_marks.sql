-- What crews draw on photos of visits, kept beside them: the pictures themselves never change.

create table photo_marks (
  business_id uuid not null references businesses on delete cascade,
  photo_id uuid not null,
  visit_id uuid not null,
  strokes jsonb not null,
  user_id uuid,
  at timestamptz not null,
  primary key (business_id, photo_id),
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index photo_marks_visit on photo_marks (business_id, visit_id);
create index photo_marks_user on photo_marks (business_id, user_id) where user_id is not null;
select guard_tenant_table('photo_marks');
comment on table photo_marks is 'By the photo, which may reach the server after them: what was tapped goes first.';
comment on column photo_marks.strokes is '[{id, color, points}]: x and y in turn, as shares of the picture from 0 to 1.';
