-- Whether a number that nobody knows waits for an answer, as `conversations` says it of a customer: being looked at answers nobody.
alter table number_conversations add column unanswered boolean not null default false;
comment on column number_conversations.unanswered is 'The newest text of a person, of them or of us, is theirs. What leaves by itself answers nobody; a word to the machine, as STOP, asks for nothing.';
create index number_conversations_unanswered on number_conversations (business_id, address) where unanswered;

-- Who wrote within the last two weeks and was only looked at waits again; older ones were left by somebody who knew.
alter table number_conversations no force row level security;
alter table messages no force row level security;
insert into number_conversations (business_id, address, version, unanswered)
select business_id, address, 0, true from (
  select distinct on (business_id, address) business_id, address, direction from messages
  where customer_id is null and channel = 'sms' and created_at > now() - interval '14 days' and entity_type is distinct from 'portal'
    and ((direction = 'inbound' and reason is null and user_id is null) or (direction = 'outbound' and dedupe_key like 'manual:%'))
  order by business_id, address, id desc) newest
where direction = 'inbound'
on conflict (business_id, address) do update set unanswered = true;
alter table number_conversations force row level security;
alter table messages force row level security;
