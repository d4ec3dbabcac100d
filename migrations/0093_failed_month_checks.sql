-- A check of a month that QuickBooks did not answer stands where somebody sees it, beside what the one before found.

alter table books_checks alter column result drop not null;
alter table books_checks alter column checked_at drop not null;
alter table books_checks add column failed_at timestamptz;
alter table books_checks add column problem text not null default '';
alter table books_checks add constraint books_checks_told check ((result is null) = (checked_at is null) and (result is not null or failed_at is not null));
comment on column books_checks.failed_at is 'When the newest check got no answer; null once one did.';
comment on column books_checks.problem is 'Why, in the words that were on the screen.';
