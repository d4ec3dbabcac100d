-- What a customer said stays where the visit it was about is gone, and what changed since it was hidden waits for the owner.

alter table review_asks drop constraint review_asks_business_id_visit_id_fkey;
alter table review_asks alter column visit_id drop not null;
alter table review_asks add constraint review_asks_visit_fkey
  foreign key (business_id, visit_id) references visits on delete set null (visit_id);

alter table reviews drop constraint reviews_business_id_visit_id_fkey;
alter table reviews alter column visit_id drop not null;
alter table reviews add constraint reviews_visit_fkey
  foreign key (business_id, visit_id) references visits on delete set null (visit_id);

alter table reviews add column hidden_changed_at timestamptz;
alter table reviews add constraint reviews_hidden_changed check (hidden_changed_at is null or hidden_at is not null);
create index reviews_hidden_changed on reviews (business_id, id desc) where hidden_changed_at is not null;
comment on column reviews.hidden_changed_at is 'Its customer changed stars or words after it was hidden, and the owner has not looked again.';
comment on column reviews.visit_id is 'Null where the visit was deleted; what was said of it stays.';
