-- Keeps a response with its author, as it is now: one that is known is changed, and one that was gone is back. Whoever is new to the owner
-- waits for a decision if `p_waits`; a decision that was made holds. Returns whether anything has changed; null: the photo is gone.
CREATE OR REPLACE FUNCTION keep_response(
    p_id uuid, p_photo uuid, p_submission uuid, p_source text, p_kind response_kind, p_key text, p_parent text, p_text text, p_url text,
    p_said_at timestamptz, p_edited_at timestamptz, p_author uuid, p_author_key text, p_name text, p_handle text, p_author_url text,
    p_picture_url text, p_waits boolean, p_remote_id text, p_media jsonb, p_is_own boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_owner uuid; v_author uuid; v_shows boolean; v_told_by text;
BEGIN
    SELECT owner_id INTO v_owner FROM photos WHERE id = p_photo AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT l.gate INTO v_told_by FROM submissions s JOIN lanes l ON l.connection_id = s.connection_id WHERE s.id = p_submission;
    v_author := keep_author(p_author, p_source, coalesce(v_told_by, ''), p_author_key, p_name, p_handle, p_author_url, p_picture_url);
    SELECT shows INTO v_shows FROM author_decisions WHERE owner_id = v_owner AND author_id = v_author;
    INSERT INTO responses AS r
           (id, photo_id, owner_id, submission_id, author_id, kind, key, parent_key, text, url, said_at, edited_at, remote_id, media, is_own, state)
    VALUES (p_id, p_photo, v_owner, p_submission, v_author, p_kind, p_key, p_parent, p_text, p_url, p_said_at, p_edited_at,
            p_remote_id, p_media, p_is_own, CASE WHEN v_shows THEN 'shown' WHEN NOT v_shows THEN 'hidden' WHEN p_waits THEN 'pending' ELSE 'shown' END::response_state)
    ON CONFLICT ON CONSTRAINT responses_known_once DO UPDATE
       SET author_id = v_author, kind = p_kind, parent_key = p_parent, text = p_text, url = p_url, said_at = p_said_at,
           remote_id = coalesce(p_remote_id, r.remote_id), media = p_media, is_own = p_is_own, edited_at = coalesce(p_edited_at, CASE WHEN r.text <> p_text THEN now() END, r.edited_at), gone_at = NULL,
           -- Another author has not been decided on.
           state = CASE WHEN r.author_id = v_author THEN r.state ELSE excluded.state END
     WHERE (r.author_id, r.kind, r.parent_key, r.text, r.url, r.said_at, r.media) IS DISTINCT FROM
           (v_author, p_kind, p_parent, p_text, p_url, p_said_at, p_media)
        OR r.gone_at IS NOT NULL OR r.remote_id IS NULL AND p_remote_id IS NOT NULL;
    RETURN FOUND;
END $$;
