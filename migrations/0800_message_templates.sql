-- Words that the office sends again and again, in English and Spanish.
create table message_templates (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  text_en text not null check (length(text_en) between 1 and 1000),
  text_es text not null default '' check (length(text_es) <= 1000),
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create unique index message_templates_name on message_templates (business_id, lower(name)) where archived_at is null;
select guard_tenant_table('message_templates');
comment on table message_templates is 'Texts that are put into the composer, with variables in braces. An empty text_es: customers who read Spanish get the English one.';

-- Every business begins with a handful; from then on they are its own to change and archive.
create function add_message_templates(business uuid) returns void language sql as $$
  insert into message_templates (business_id, id, name, text_en, text_es)
  select business, gen_random_uuid(), name, en, es from (values
    ('Your next visit',
      'Hi {customer first name}, your next visit is {next visit day}, {next visit time}. {business name}',
      'Hola {customer first name}, su próxima visita es el {next visit day}, {next visit time}. {business name}'),
    ('Running late',
      'Hi {customer first name}, we are running late today and will be there as soon as we can. Sorry for the wait! {business name}',
      'Hola {customer first name}, hoy vamos con retraso y llegaremos lo antes posible. ¡Perdone la espera! {business name}'),
    ('Open balance',
      'Hi {customer first name}, your open balance is {balance}. You can see and pay it here: {pay link}',
      'Hola {customer first name}, su saldo pendiente es {balance}. Puede verlo y pagarlo aquí: {pay link}'),
    ('Please leave the gate open',
      'Hi {customer first name}, we come {next visit day}. Please leave the gate unlocked and keep pets inside. Thank you! {business name}',
      'Hola {customer first name}, vamos el {next visit day}. Por favor deje la reja abierta y las mascotas adentro. ¡Gracias! {business name}'),
    ('Thank you',
      'Thank you, {customer first name}! If there is anything else, just answer here. {my name}, {business name}',
      '¡Gracias, {customer first name}! Si necesita algo más, responda aquí. {my name}, {business name}')
  ) usual (name, en, es) $$;
create function start_message_templates() returns trigger language plpgsql as $$
begin
  perform add_message_templates(new.business_id);
  return null;
end $$;
create trigger businesses_message_templates after insert on businesses for each row execute function start_message_templates();

alter table businesses no force row level security;
alter table message_templates no force row level security;
select add_message_templates(business_id) from businesses;
alter table businesses force row level security;
alter table message_templates force row level security;
