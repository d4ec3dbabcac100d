-- What customers write in the portal stands in their thread beside mail and texts.
alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check check (channel in ('email', 'sms', 'portal'));
