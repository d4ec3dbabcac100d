-- Past one machine a function cannot be asked on a shard: both are written out where they are asked (crewPresent, waitingConversations).
drop function crew_present(uuid, uuid, date);
drop function waiting_conversations(uuid, timestamptz);
