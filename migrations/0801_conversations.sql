-- What the office does with a conversation: whose it is, until when it rests, and that it is done.
create table conversations (
  business_id uuid not null references businesses on delete cascade,
  customer_id uuid not null,
  assignee_id uuid,
  snoozed_until timestamptz,
  snoozed_by uuid,
  closed_at timestamptz,
  closed_by uuid,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id, customer_id),
  check (snoozed_until is null or closed_at is null),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, assignee_id) references users on delete set null (assignee_id),
  foreign key (business_id, snoozed_by) references users on delete set null (snoozed_by),
  foreign key (business_id, closed_by) references users on delete set null (closed_by)
);
create index conversations_assignee on conversations (business_id, assignee_id) where assignee_id is not null;
create index conversations_snoozed on conversations (business_id, snoozed_until) where snoozed_until is not null;
create index conversations_snoozed_by on conversations (business_id, snoozed_by) where snoozed_by is not null;
create index conversations_closed_by on conversations (business_id, closed_by) where closed_by is not null;
select guard_tenant_table('conversations');
comment on table conversations is 'A customer without a row: nobody was assigned, and the conversation is open.';
comment on column conversations.snoozed_until is 'Until then it rests. What has passed is no snooze any more, whether the task that wakes it has run or not.';

-- What people of the office write to each other beside the messages. Nothing of it leaves.
create table conversation_notes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  user_id uuid,
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index conversation_notes_customer on conversation_notes (business_id, customer_id, id);
create index conversation_notes_timeline on conversation_notes (business_id, customer_id, created_at, id);
create index conversation_notes_user on conversation_notes (business_id, user_id) where user_id is not null;
select guard_tenant_table('conversation_notes');
comment on table conversation_notes is 'Internal notes in the thread of a customer. Ids are UUIDv7, so a note stands between the messages of its time.';
