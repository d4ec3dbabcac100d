-- Services that a file names and the business does not have: which of its own each is, or that it is added.

alter table imports add column services jsonb not null default '[]';
comment on column imports.services is 'As the file names them, with how many rows of jobs ask for each and which service of the business it is; null is added as a new one.';
