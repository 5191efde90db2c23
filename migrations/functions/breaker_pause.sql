-- How long a breaker stays open after so many failures: doubled with each, 15 minutes at most.
CREATE OR REPLACE FUNCTION breaker_pause(p_base interval, p_failures int) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT least(interval '15 min', p_base * 2 ^ least(p_failures - breaker_threshold(), 10))
$$;
