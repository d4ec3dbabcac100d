-- What the product owner notes on a lead, and whether the desk has seen what is new.
create table prospects.lead_notes (
  id uuid primary key,
  lead_id uuid not null references prospects.leads on delete cascade,
  author text not null check (author <> ''),
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null default now()
);
create index lead_notes_lead on prospects.lead_notes (lead_id, created_at desc);
revoke update, delete on prospects.lead_notes from swath_prospects;
comment on table prospects.lead_notes is 'Appended to and never changed: what was thought at the time stays readable.';

alter table prospects.leads add column seen_at timestamptz;
-- Whoever stands in the list already is no news.
update prospects.leads set seen_at = now();
create index leads_unseen on prospects.leads (id) where seen_at is null;
comment on column prospects.leads.seen_at is 'When the desk last opened the lead; null: never.';
