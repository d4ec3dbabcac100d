-- How far the look for events that no webhook brought has come, for each account.

alter table payment_accounts add column events_looked_at timestamptz;
comment on column payment_accounts.events_looked_at is 'When the last look through the provider''s events was begun that came to its end; null before the first.';
