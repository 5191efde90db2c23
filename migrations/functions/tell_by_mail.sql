-- Leaves a mail for a user who wants to be told of this by mail. What happens within ten minutes is told together. An address that is just being
-- removed is waited for, so that its removal undoes no transaction that tells something.
CREATE OR REPLACE FUNCTION tell_by_mail(p_owner uuid, p_kind text, p_subject uuid) RETURNS void LANGUAGE sql AS $$
    INSERT INTO mails (id, user_id, address, kind, subject_id, language, due_at)
    SELECT gen_random_uuid(), a.user_id, a.address, p_kind, p_subject, a.language, now() + interval '10 min'
      FROM (SELECT user_id, address, language FROM mail_addresses
             WHERE user_id = p_owner AND confirmed_at IS NOT NULL AND refused_at IS NULL AND p_kind || 's' = ANY (kinds)
               FOR KEY SHARE) a
    ON CONFLICT ON CONSTRAINT mails_subject_key DO NOTHING
$$;
