-- How many failures, one after the other, open a breaker: of jobs in a lane, of lanes at a gate.
CREATE OR REPLACE FUNCTION breaker_threshold() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 3 $$;
