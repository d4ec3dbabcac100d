-- A month of the books is closed: money dated in it neither comes nor changes any more, but by an owner who says why.

create table month_closings (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  seq integer not null check (seq > 0),
  action text not null check (action in ('closed', 'reopened', 'exception')),
  closed_through date,
  on_day date not null,
  reason text not null default '',
  detail text not null default '',
  left_open jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, seq)
);
select guard_tenant_table('month_closings', 'select, insert');
comment on table month_closings is 'What was done with the months of the books, in order. The newest row says up to which day they are closed.';
comment on column month_closings.closed_through is 'The books are closed up to this day from then on; null while nothing is.';
comment on column month_closings.on_day is 'The last day of the month that was closed, the first of the one that was reopened, or the day of the movement that was let in.';
comment on column month_closings.left_open is 'What was still open when the month was closed, as it was shown.';
