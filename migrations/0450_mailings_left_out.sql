-- Who got nothing of a message to several, and why: an owner who looks at it later reads it there.

alter table mailings
  add left_out jsonb not null default '[]' check (jsonb_typeof(left_out) = 'array');
comment on column mailings.left_out is 'Customers whom nothing was sent to: id and reason. At most as many as were chosen.';
