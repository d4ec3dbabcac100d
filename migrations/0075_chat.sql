-- What the office and the crews write to each other: a thread with each person, with each crew, and one to everybody.

create table chat_threads (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('person', 'crew', 'everybody')),
  user_id uuid,
  crew_id uuid,
  last_number integer not null check (last_number > 0),
  last_at timestamptz not null,
  office_number integer not null default 0,
  office_unread integer not null default 0 check (office_unread >= 0),
  notice_key text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete set null (user_id),
  foreign key (business_id, crew_id) references crews on delete set null (crew_id)
);
create index chat_threads_last on chat_threads (business_id, last_at desc, id desc);
create index chat_threads_unread on chat_threads (business_id, last_at desc) where office_unread > 0;
create index chat_threads_user on chat_threads (business_id, user_id) where user_id is not null;
create index chat_threads_crew on chat_threads (business_id, crew_id) where crew_id is not null;
select guard_tenant_table('chat_threads');
comment on table chat_threads is 'Its id is that of the person or the crew that it is with, or of the business for what everybody reads. It is there from the first message on.';
comment on column chat_threads.last_number is 'The number of the newest message; numbers go by the order of arrival.';
comment on column chat_threads.office_number is 'Up to which message somebody of the office has read.';
comment on column chat_threads.office_unread is 'Messages of the crews after it.';
comment on column chat_threads.notice_key is 'Of the notice that tells the office of unread messages, until they are read.';
comment on column chat_threads.version is 'Goes up with every message, photo and receipt: a phone loads the thread again when it differs.';

create table chat_messages (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  thread_id uuid not null,
  number integer not null check (number > 0),
  on_day date not null,
  author_id uuid,
  from_office boolean not null,
  text text not null check (length(text) <= 2000),
  visit_id uuid,
  photo_ids uuid[] not null default '{}' check (cardinality(photo_ids) <= 6),
  written_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, thread_id, number),
  check (text <> '' or cardinality(photo_ids) > 0),
  foreign key (business_id, thread_id) references chat_threads on delete cascade,
  foreign key (business_id, author_id) references users on delete set null (author_id),
  foreign key (business_id, visit_id) references visits on delete set null (visit_id)
);
create index chat_messages_days on chat_messages (business_id, thread_id, on_day desc, number desc);
create index chat_messages_created on chat_messages (business_id, created_at);
create index chat_messages_author on chat_messages (business_id, author_id) where author_id is not null;
create index chat_messages_visit on chat_messages (business_id, visit_id) where visit_id is not null;
select guard_tenant_table('chat_messages');
comment on column chat_messages.on_day is 'Day of arrival in the zone of the business: who was on the crew that day reads it.';
comment on column chat_messages.photo_ids is 'Photos that belong to it, in order; one without a row in chat_photos is still on its way.';
comment on column chat_messages.written_at is 'When it was written, on our clock: a phone without a signal sends later.';

create table chat_photos (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  message_id uuid not null,
  file_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, message_id) references chat_messages on delete cascade,
  foreign key (business_id, file_id) references files
);
create index chat_photos_message on chat_photos (business_id, message_id);
create index chat_photos_file on chat_photos (business_id, file_id);
select guard_tenant_table('chat_photos');

create table chat_readers (
  business_id uuid not null references businesses on delete cascade,
  thread_id uuid not null,
  user_id uuid not null,
  read_number integer not null,
  primary key (business_id, thread_id, user_id),
  foreign key (business_id, thread_id) references chat_threads on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index chat_readers_user on chat_readers (business_id, user_id);
select guard_tenant_table('chat_readers');
comment on table chat_readers is 'Up to which message a person has read a thread.';

create table chat_reads (
  business_id uuid not null references businesses on delete cascade,
  thread_id uuid not null,
  user_id uuid not null,
  up_to_number integer not null,
  read_at timestamptz not null,
  primary key (business_id, thread_id, user_id, up_to_number),
  foreign key (business_id, thread_id) references chat_threads on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index chat_reads_at on chat_reads (business_id, read_at);
create index chat_reads_user on chat_reads (business_id, user_id);
select guard_tenant_table('chat_reads');
comment on table chat_reads is 'One look of a person at a thread and how far it went: the first one that reached a message is when it was read.';
