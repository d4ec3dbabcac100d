-- Why visits are skipped and what that costs, what a visit has to be ticked off, and what is to be known of one visit.

alter table businesses
  add column skip_rules jsonb not null default '[]',
  add column share_checklists boolean not null default false;
comment on column businesses.skip_rules is 'Reasons for skipping with who uses them, what they ask for and what they charge; empty: the usual ones.';
comment on column businesses.share_checklists is 'Whether the page of a finished visit shows what was ticked.';

alter table visits
  add column skip_charge_cents integer check (skip_charge_cents > 0),
  add column to_bill boolean generated always as (billable and (status = 'completed' or (status = 'skipped' and skip_charge_cents is not null))) stored,
  add column office_note text not null default '',
  add column checklist jsonb,
  add column unticked_reason text not null default '';
comment on column visits.skip_charge_cents is 'What a skip costs the customer; price_cents is the same while it is skipped.';
comment on column visits.to_bill is 'Finished work, or a skip that is charged, that somebody is billed for.';
comment on column visits.office_note is 'What the crew should know on this visit alone.';
comment on column visits.checklist is 'Its items as they stood when the first one was ticked or the work ended; null: those of its services.';
comment on column visits.unticked_reason is 'Why it was finished although a required item was not ticked.';

drop index visits_unbilled;
drop index visits_unbilled_job;
create index visits_unbilled on visits (business_id, day) where to_bill and invoice_id is null;
create index visits_unbilled_job on visits (business_id, job_id, (price_cents > 0), day) where to_bill and invoice_id is null;
