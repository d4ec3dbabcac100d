-- Work that comes back after the last visit was done has one open day at a time, which is noted on its line.
alter table job_lines add column due_on date;
comment on column job_lines.due_on is 'The open day of a rule that counts from when its last visit was done; null for every other rule.';
