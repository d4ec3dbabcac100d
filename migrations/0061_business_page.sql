-- The face of a business: its logo and its public page.
alter table businesses
  add column logo_file_id uuid,
  add column public_page boolean not null default true,
  add column public_about text not null default '' check (length(public_about) <= 1000),
  add constraint businesses_logo foreign key (business_id, logo_file_id) references files (business_id, id);
comment on column businesses.slug is 'Present address of the public page. Earlier ones stay in slugs and lead here.';
