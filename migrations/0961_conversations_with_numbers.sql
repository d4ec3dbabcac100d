-- What the office does with the conversation of a number that nobody knows, as `conversations` says it of a customer.
create table number_conversations (
  business_id uuid not null references businesses on delete cascade,
  address text not null,
  assignee_id uuid,
  snoozed_until timestamptz,
  snoozed_by uuid,
  closed_at timestamptz,
  closed_by uuid,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id, address),
  check (snoozed_until is null or closed_at is null),
  foreign key (business_id, assignee_id) references users on delete set null (assignee_id),
  foreign key (business_id, snoozed_by) references users on delete set null (snoozed_by),
  foreign key (business_id, closed_by) references users on delete set null (closed_by)
);
create index number_conversations_assignee on number_conversations (business_id, assignee_id) where assignee_id is not null;
create index number_conversations_snoozed on number_conversations (business_id, snoozed_until) where snoozed_until is not null;
create index number_conversations_snoozed_by on number_conversations (business_id, snoozed_by) where snoozed_by is not null;
create index number_conversations_closed_by on number_conversations (business_id, closed_by) where closed_by is not null;
select guard_tenant_table('number_conversations');
comment on table number_conversations is 'A number without a row: nobody was assigned, and the conversation is open. It goes into conversations when the number becomes a customer''s.';

create or replace function waiting_conversations(business uuid, at timestamptz) returns table (customer_id uuid, address text) language sql stable as $$
  select v.customer_id, null::text from conversations v
  where v.business_id = business and v.unanswered and v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= at)
  union
  select u.customer_id, case when u.customer_id is null then u.address end from (
    -- these few first, by their index: joined at once, all that anybody ever wrote may be read for them
    select m.customer_id, m.address from messages m
    where m.business_id = business and m.direction = 'inbound' and m.opened_at is null and (m.purpose <> 'account' or m.channel = 'sms')
      and (m.customer_id is not null or (m.channel = 'sms' and m.user_id is null and m.entity_type is distinct from 'portal'))
    offset 0) u
  left join conversations v on v.business_id = business and v.customer_id = u.customer_id
  left join number_conversations a on a.business_id = business and u.customer_id is null and a.address = u.address
  where v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= at)
    and a.closed_at is null and (a.snoozed_until is null or a.snoozed_until <= at)
$$;
