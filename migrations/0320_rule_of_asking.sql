-- What the rule said when a customer was asked about extra work: only a yes to that price puts it on the visit without the office.
alter table visit_extras add column rule_cents integer check (rule_cents >= 0);
comment on column visit_extras.rule_cents is 'Of what was sold, by the rules of the moment in which it came in; null where they say nothing, or crews may not sell it.';
