-- A season that renews by itself rests on a notice: where none arrived, nothing was agreed.

alter table renewals add column undelivered boolean not null default false;
comment on column renewals.undelivered is 'Its day came and no notice had reached the customer by any way: it was not renewed, and its quote is over.';
create index renewals_undelivered on renewals (business_id, quote_id) where undelivered;
