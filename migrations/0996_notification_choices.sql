-- What somebody of the office hears of, by kind of news and by way, and the hour of the mail with what they have not read.

alter table notifications
  add column topic text check (topic in ('day', 'chat', 'time', 'needsYou', 'replies', 'jobs', 'quotes', 'money', 'other')),
  add column quiet boolean not null default false,
  add column mailed boolean not null default false;
comment on column notifications.topic is 'Which kind of news it is; null for what is older than the choice';
comment on column notifications.quiet is 'Who it is for wants none of its kind on the bell: it stands there not, and goes into their digest';

comment on column notifications.mailed is 'It stood in a digest, and no other one says it again';
-- what is on no bell is unread for ever
create index notifications_waiting on notifications (business_id, user_id) where read_at is null and not quiet;

create table notification_mutes (
  business_id uuid not null,
  user_id uuid not null,
  topic text not null check (topic in ('chat', 'needsYou', 'replies', 'jobs', 'quotes', 'money', 'other')),
  channel text not null check (channel in ('bell', 'mail')),
  created_at timestamptz not null default now(),
  primary key (business_id, user_id, topic, channel),
  foreign key (business_id, user_id) references users on delete cascade
);
comment on table notification_mutes is 'What a person does not want to hear of by a way; what is not named here they do';
select guard_tenant_table('notification_mutes');

create table notification_digests (
  business_id uuid not null,
  user_id uuid not null,
  hour smallint not null check (hour between 0 and 23),
  last_on date not null,
  last_at timestamptz not null,
  primary key (business_id, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
comment on table notification_digests is 'Who gets a mail a day with what they have not read, and at which hour of the business';
comment on column notification_digests.last_on is 'The last day of the business that was looked at; its mail left, or there was nothing';
comment on column notification_digests.last_at is 'Until when news are in a mail already';
select guard_tenant_table('notification_digests');
