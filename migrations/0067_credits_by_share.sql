-- When a plan ends, work and its tax may differ in opposite ways: more was billed of what has no tax, less of what has. One credit note then
-- carries both to the cent, one of them below zero; what it is over in all stays above zero.
alter table credit_notes drop constraint credit_notes_net_cents_check;
alter table credit_notes drop constraint credit_notes_tax_cents_check;
comment on column credit_notes.tax_cents is 'Of its total, with net_cents. Below zero where tax comes on top of what is credited of the work.';
