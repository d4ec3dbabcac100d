-- Whether a customer waits for an answer: the newest message that a person wrote is theirs. Kept by what comes in and by what is written by hand.
alter table conversations add column unanswered boolean not null default false;
comment on column conversations.unanswered is 'The newest message of a person, of them or of us, is theirs. What leaves by itself answers nobody; what a machine wrote asks for nothing.';
create index conversations_unanswered on conversations (business_id, customer_id) where unanswered;

alter table conversations no force row level security;
alter table messages no force row level security;
insert into conversations (business_id, customer_id, version, unanswered)
select business_id, customer_id, 0, true from (
  select distinct on (business_id, customer_id) business_id, customer_id, direction from messages
  where customer_id is not null and ((direction = 'inbound' and reason is null) or (direction = 'outbound' and dedupe_key like 'manual:%'))
  order by business_id, customer_id, id desc) newest
where direction = 'inbound'
on conflict (business_id, customer_id) do update set unanswered = true;
alter table conversations force row level security;
alter table messages force row level security;

-- Who waits for us at an instant: a customer without an answer or with a message that nobody has read, where it neither rests nor is done, and a number
-- that nobody knows until it is read. One place, because the inbox and the sidebar say the same number.
create function waiting_conversations(business uuid, at timestamptz) returns table (customer_id uuid, address text) language sql stable as $$
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
  where v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= at)
$$;
