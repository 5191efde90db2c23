-- The state of a photo from its submissions, worst first, in the words of the API.
CREATE OR REPLACE FUNCTION photo_state(p_photo uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.planned_visibility IS NOT NULL AND p.publish_at IS NULL THEN 'draft'
                WHEN s.needs_owner THEN 'attention'
                WHEN s.failed THEN 'failed'
                WHEN s.under_way THEN 'sending'
                WHEN s.waiting OR p.publish_at IS NOT NULL THEN 'scheduled'
                WHEN s.sent THEN 'sent'
                ELSE 'stored' END
      FROM photos p,
           LATERAL (SELECT bool_or(state IN ('needs_login', 'unknown')) AS needs_owner,
                           bool_or(state = 'rejected') AS failed,
                           bool_or(state IN ('waiting', 'running', 'paused') AND coalesce(scheduled_at, now()) <= now())
                               AS under_way,
                           bool_or(state IN ('waiting', 'running', 'paused')) AS waiting, bool_or(state = 'done') AS sent
                      FROM submissions WHERE photo_id = p.id) s
     WHERE p.id = p_photo
$$;
