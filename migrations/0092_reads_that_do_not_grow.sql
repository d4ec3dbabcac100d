-- Reads that walked a business's history, and an index that misled the planner.

-- A service belongs to one business, which PostgreSQL does not know of a join: it takes (business_id, service_id) for as selective as (business_id,
-- visit_id), and with many businesses it found the lines of a visit by walking all lines of its service. No query looks for lines by their service.
drop index visit_lines_service;

create index visits_open_job on visits (business_id, job_id, day) where status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused');
create index visits_unbilled_job on visits (business_id, job_id) where status = 'completed' and billable and invoice_id is null;
create index visits_list on visits (business_id, (coalesce(day, occurrence_on)), id);

create index messages_talk on messages (business_id, customer_id, id);
create index messages_unknown on messages (business_id, address, id) where customer_id is null and channel = 'sms' and user_id is null;
