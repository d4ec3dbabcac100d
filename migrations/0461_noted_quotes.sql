-- What crews noted on site and nobody of the office has sent yet: a list of its own, and under "Needs you".

create index quotes_noted on quotes (business_id, number desc) where is_crew_draft and status = 'draft';
