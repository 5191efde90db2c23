-- Leaves a message for each browser of a user that wants to be told of this kind. A browser that is just being removed is waited
-- for, so that its removal undoes no transaction that tells something.
CREATE OR REPLACE FUNCTION tell_browsers(
    p_owner uuid, p_kind text, p_subject uuid, p_delay interval, p_told int
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO push_messages AS m (subscription_id, kind, subject_id, due_at, told)
    SELECT s.id, p_kind, p_subject, now() + p_delay, p_told
      FROM (SELECT id FROM push_subscriptions
             WHERE owner_id = p_owner AND state = 'active' AND p_kind = ANY (kinds)
             ORDER BY id FOR KEY SHARE) s
    ON CONFLICT ON CONSTRAINT push_messages_pkey DO UPDATE SET changes = m.changes + 1
$$;
