-- A program goes on with its next season until somebody stops it.
alter table programs add column renews boolean not null default false;
comment on column programs.renews is 'What a job of the program begins with; each says for itself whether it renews.';
alter table jobs add column program_renews boolean not null default false;
alter table jobs add column renewed_as uuid;
alter table jobs add foreign key (business_id, renewed_as) references jobs;
comment on column jobs.program_renews is 'The next season of its program is made a fixed time ahead.';
comment on column jobs.renewed_as is 'The job of the next season; once it is there no other is made, also when it was canceled.';
create index jobs_renewed_as on jobs (business_id, renewed_as) where renewed_as is not null;
create index jobs_renewing on jobs (business_id, id) where program_renews and renewed_as is null;
