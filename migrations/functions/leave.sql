-- Begins the deletion of a user: from the commit on nobody is signed in as them, nothing of theirs is shown, and no webhook tells them
-- anything. The rest goes in steps (delete_photo, forget_likes, forget_user). False: there is no such user, or they are the last admin.
CREATE OR REPLACE FUNCTION leave(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    former_name text;
    later_name text;
BEGIN
    -- Two admins who leave at once wait for each other here.
    PERFORM FROM users WHERE is_admin ORDER BY id FOR UPDATE;
    IF EXISTS (SELECT FROM users WHERE id = p_user AND is_admin)
       AND NOT EXISTS (SELECT FROM users WHERE id <> p_user AND is_admin) THEN RETURN false; END IF;
    SELECT name INTO former_name FROM users WHERE id = p_user AND deleted_at IS NULL;
    UPDATE users
       SET deleted_at = now(), name = 'deleted-' || right(replace(id::text, '-', ''), 20), password = NULL,
           is_admin = false, has_gallery = false, display_name = NULL, about = NULL, links = '{}', picture_id = NULL
     WHERE id = p_user AND deleted_at IS NULL
     RETURNING name INTO later_name;
    IF NOT FOUND THEN RETURN false; END IF;
    -- What was done stays known, without the user's name, places, devices and accounts.
    UPDATE audit_log SET actor = later_name, network = NULL WHERE actor_id = p_user;
    UPDATE audit_log SET subject = CASE WHEN subject_kind = 'user' THEN later_name END, details = details - 'browser'
     WHERE user_id = p_user;
    UPDATE audit_log SET subject = NULL WHERE subject_kind = 'invitation' AND subject = former_name;
    UPDATE tokens SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
    DELETE FROM app_grants WHERE user_id = p_user;
    DELETE FROM sessions WHERE user_id = p_user;
    DELETE FROM second_factors WHERE user_id = p_user;
    DELETE FROM passkeys WHERE user_id = p_user;
    DELETE FROM identities WHERE user_id = p_user;
    DELETE FROM mails WHERE user_id = p_user;
    DELETE FROM invitations WHERE invited_by = p_user AND used_at IS NULL;
    DELETE FROM authorizations WHERE user_id = p_user;
    DELETE FROM webhooks WHERE owner_id = p_user;
    DELETE FROM albums WHERE owner_id = p_user;
    PERFORM end_print_orders(NULL, NULL, p_user, true);
    UPDATE print_orders SET sealed = NULL WHERE owner_id = p_user AND state <> 'waiting';
    DELETE FROM responses WHERE owner_id = p_user;
    -- What they have said on photos of others.
    UPDATE responses r SET gone_at = now(), text = ''
      FROM response_authors a
     WHERE a.source = 'pics' AND a.key = p_user::text AND r.author_id = a.id AND r.gone_at IS NULL;
    UPDATE response_authors SET name = '', handle = NULL, url = NULL WHERE source = 'pics' AND key = p_user::text;
    DELETE FROM deleted_photos d USING photos p WHERE p.id = d.photo_id AND p.owner_id = p_user;
    RETURN true;
END $$;
