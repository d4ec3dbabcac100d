-- What an automation says is true as it leaves, and is said once: of which place, which day it named, and the same day once more after another was told.

alter table automation_runs
  add column round integer not null default 0 check (round >= 0),
  add column property_id uuid,
  add column said_visit_id uuid,
  add column said_day date,
  add foreign key (business_id, property_id) references properties on delete set null (property_id);
create index automation_runs_property on automation_runs (business_id, property_id) where property_id is not null;
alter table automation_runs drop constraint automation_runs_business_id_automation_id_subject_id_occurr_key;

-- behind the wall of the tenants there are no rows to change
alter table automations no force row level security;
alter table automation_runs no force row level security;

-- an offer of a year is one, whatever day of the year it is made on
update automation_runs r set occurrence = left(r.occurrence, 4), round = n.before
from (
  select r.business_id, r.id, row_number() over (
    partition by r.business_id, r.automation_id, r.subject_id, left(r.occurrence, 4) order by r.id) - 1 as before
  from automation_runs r join automations a on a.business_id = r.business_id and a.id = r.automation_id
  where a.kind = 'upsell') n
where n.business_id = r.business_id and n.id = r.id;

-- the words that came with a kind said "today", which a night makes false; what a business wrote itself stays
update automations set
  text_en = 'Hi {customer first name}, we were at your place on {last visit day}. If something is not as you want it, just answer here. {business name}'
where kind = 'visit_done' and text_en = 'Hi {customer first name}, we are done for today. If something is not as you want it, just answer here. {business name}';
update automations set
  text_es = 'Hola {customer first name}, estuvimos en su casa el {last visit day}. Si algo no está como usted quiere, responda aquí. {business name}'
where kind = 'visit_done' and text_es = 'Hola {customer first name}, ya terminamos por hoy. Si algo no está como usted quiere, responda aquí. {business name}';
update automations set
  text_en = 'Hi {customer first name}, we could not do your visit of {last visit day}. Please answer here, and we find another day. {business name}'
where kind = 'visit_skipped' and text_en = 'Hi {customer first name}, we could not do your visit today. Please answer here, and we find another day. {business name}';
update automations set
  text_es = 'Hola {customer first name}, no pudimos hacer su visita del {last visit day}. Responda aquí y buscamos otro día. {business name}'
where kind = 'visit_skipped' and text_es = 'Hola {customer first name}, hoy no pudimos hacer su visita. Responda aquí y buscamos otro día. {business name}';
update automations set subject_en = 'We could not do your visit'
where kind = 'visit_skipped' and subject_en = 'We could not do your visit today';
update automations set subject_es = 'No pudimos hacer su visita'
where kind = 'visit_skipped' and subject_es = 'Hoy no pudimos hacer su visita';

alter table automations force row level security;
alter table automation_runs force row level security;

alter table automation_runs add unique (business_id, automation_id, subject_id, occurrence, round);
comment on column automation_runs.occurrence is 'Which time of what it is about: the day of a treatment, the year of an offer; else empty.';
comment on column automation_runs.round is 'Counts up where the same is said once more: a treatment that is back on a day after another one was told.';
comment on column automation_runs.property_id is 'Where it is about; null where it is about the customer.';
comment on column automation_runs.said_visit_id is 'The visit whose day its words named as they left, with that day: who moves it tells them.';
comment on column automation_runs.own_text is 'Words of this one alone, with their variables: written by somebody while it waited, or as somebody said yes to them.';

alter table jobs add column activated_at timestamptz;
comment on column jobs.activated_at is 'When a draft became work; null of what never was a draft.';

alter table automations drop constraint automations_kind_check;
alter table automations add constraint automations_kind_check check (kind in (
  'visit_booked', 'treatment_coming', 'visit_done', 'visit_skipped', 'quote_viewed', 'quote_approved', 'win_back', 'dormant', 'upsell'));
