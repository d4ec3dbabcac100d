-- A tip that is handed over at the door: it is for who worked that visit, which often stands on no invoice yet.

alter table payments add column tip_visit_id uuid;
alter table payments add foreign key (business_id, tip_visit_id) references visits on delete restrict;
create index payments_tip_visit on payments (business_id, tip_visit_id) where tip_visit_id is not null;
alter table payments drop constraint payments_tip;
alter table payments add constraint payments_tip
  check (tip_cents between 0 and allocated_cents and (tip_cents = 0 or tip_invoice_id is not null or tip_visit_id is not null));
comment on column payments.tip_visit_id is 'The visit at which the tip was handed over: who worked there share it.';
