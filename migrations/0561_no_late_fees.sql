alter table customers add column no_late_fees boolean not null default false;
comment on column customers.no_late_fees is 'The business charges this customer nothing for paying late, whatever its rule says.';
