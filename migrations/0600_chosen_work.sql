-- What a visitor of the business page chose stands with their request, so that a quote begins with it.

alter table lead_requests add column chosen jsonb not null default '[]' check (jsonb_typeof(chosen) = 'array');
comment on column lead_requests.chosen is 'The work that was ticked on the business page: a list of { serviceId, frequency }; empty where they only wrote.';
