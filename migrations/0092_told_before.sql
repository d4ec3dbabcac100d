-- What a customer had been told before the last telling, so that one whose message was recalled stands where they stood.
alter table visit_tellings
  add column was_told boolean not null default false,
  add column day_before date;
comment on column visit_tellings.was_told is 'Whether the customer had been told something of this visit before.';
comment on column visit_tellings.day_before is 'The day they had been told before; null with was_told: that there is none.';
