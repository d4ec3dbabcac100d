-- One check often pays several invoices: its news are one receipt, as with several that are paid on one page.
alter table payments add column together boolean not null default false;
comment on column payments.together is 'The office put it on several invoices when it was recorded.';
