-- The address of a new business is the one its owner signs in with: it goes on the public page only when the owner says so.
alter table businesses add column public_email boolean not null default false;
comment on column businesses.public_email is 'Whether the public page shows the e-mail of the business.';
