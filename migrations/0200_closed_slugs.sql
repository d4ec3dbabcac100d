-- Which businesses were closed stands beside their addresses, in the list that walks read without being inside any business: work that begins
-- something new leaves them out, work that only settles does not.

alter table slugs add column closed boolean not null default false;
comment on column slugs.closed is 'The business was closed and not opened again; written with businesses.closed_at.';
grant update (closed) on slugs to swath_app;
alter table businesses no force row level security;
update slugs s set closed = true from businesses b where b.business_id = s.business_id and b.closed_at is not null;
alter table businesses force row level security;
