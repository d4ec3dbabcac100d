-- A template may say what a mail with it is called; a text has no subject.
alter table message_templates
  add column subject_en text not null default '' check (length(subject_en) <= 200),
  add column subject_es text not null default '' check (length(subject_es) <= 200);
