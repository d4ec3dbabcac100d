-- New prices for chosen work, told by a letter; and how long before customers hear of them.
alter table price_changes drop constraint price_changes_kind_check,
  add constraint price_changes_kind_check check (kind in ('rule', 'raise', 'letter'));
alter table businesses add column letter_notice_days integer not null default 30 check (letter_notice_days between 0 and 180);
comment on column businesses.letter_notice_days is 'A price letter is about a day so far ahead, at least.';
