-- By which rules of reckoning an invoice was issued, so that an old sum can be explained after they changed.
alter table invoices add column rules_version smallint;
comment on column invoices.rules_version is 'The version of the rules (tax by place and day, spread of discounts, rounding) that its sums came from, set when it is issued; null on a draft and on what was issued before this was kept.';
