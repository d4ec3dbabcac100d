-- The office writes down later what was said: the ledger keeps both, the instant of the writing and the day on which they said it.
alter table consent_events add column said_on date;
comment on column consent_events.said_on is 'The day on which they said it, where somebody wrote it down for them; null where the instant of the row is their own.';
