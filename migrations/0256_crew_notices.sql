-- What the office tells a crew member is read on the phone, in the language of the phone: its facts beside the words of the bell.
alter table notifications add column crew jsonb;
comment on column notifications.crew is 'What a crew''s phone makes its own words of (CrewNotice); null for what is only for the bell.';
