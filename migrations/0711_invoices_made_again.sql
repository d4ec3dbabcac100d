-- A voided invoice is made again at most once at a time, and both say so.
alter table invoices add column made_from uuid;
alter table invoices add foreign key (business_id, made_from) references invoices not valid;
comment on column invoices.made_from is 'The voided invoice that it was made again from.';
