-- The state of a photo from its submissions, worst first, in the words of the API.
CREATE OR REPLACE FUNCTION photo_state(p_photo uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN bool_or(state IN ('needs_login', 'unknown')) THEN 'attention'
                WHEN bool_or(state = 'rejected') THEN 'failed'
                WHEN bool_or(state IN ('waiting', 'running', 'paused') AND coalesce(scheduled_at, now()) <= now()) THEN 'sending'
                WHEN bool_or(state IN ('waiting', 'running', 'paused')) THEN 'scheduled'
                WHEN bool_or(state = 'done') THEN 'sent'
                ELSE 'stored' END
      FROM submissions WHERE photo_id = p_photo
$$;
