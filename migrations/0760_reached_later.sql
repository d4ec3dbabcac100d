-- An invoice that came back and went again reached its customer later than its due day: fees and reminders count from then.
alter table invoices add reached_on date;
comment on column invoices.reached_on is 'The day on which it reached its customer after what was sent before had come back, where that is later than the day it was late from; reopened_on is the same day until money is gone again. Null for all others.';
comment on column invoices.reopened_on is 'The last day on which money that was on it was gone again, it was written off no more, or it reached its customer at last (reached_on): late fees and reminders count from it where it is later than the due day. Its age in the lists does not.';
