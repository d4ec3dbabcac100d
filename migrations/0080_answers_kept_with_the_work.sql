-- A key and its answer are rows of the work's own transaction: nobody ever sees a key without its answer, but for work in steps (decision 004).
delete from idempotency_keys;
alter table idempotency_keys drop column status, drop column response, add column answer text;
comment on column idempotency_keys.answer is 'The answer as it was sent, JSON. Null: work in steps that has begun and not ended; a repeat takes it up.';

create table prospects.idempotency_keys (
  caller text not null,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  answer text,
  created_at timestamptz not null,
  primary key (caller, endpoint, key)
);
create index idempotency_keys_age on prospects.idempotency_keys (created_at);
comment on column prospects.idempotency_keys.caller is 'visitor, or the product owner: their requests belong to no business.';
