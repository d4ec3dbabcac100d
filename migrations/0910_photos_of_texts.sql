-- Photos go with texts, both ways.
alter table messages add column not_kept text;
comment on column messages.not_kept is 'What came with a text and cannot be shown, as a sentence: a video, a photo that could not be fetched.';
