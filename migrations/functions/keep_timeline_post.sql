-- Keeps a post of an account's home timeline as it is now. Returns whether it was not known.
CREATE OR REPLACE FUNCTION keep_timeline_post(
    p_id uuid, p_connection uuid, p_key text, p_remote_id text, p_author uuid, p_reposter uuid, p_text text, p_warning text,
    p_sensitive boolean, p_url text, p_said_at timestamptz, p_media jsonb, p_favourited boolean, p_reposted boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_is_new boolean;
BEGIN
    INSERT INTO timeline_posts AS t (id, connection_id, owner_id, key, remote_id, author_id, reposter_id, text, warning, is_sensitive,
                                     url, said_at, media, has_media, favourited, reposted)
    SELECT p_id, p_connection, c.owner_id, p_key, p_remote_id, p_author, p_reposter, p_text, p_warning, p_sensitive, p_url, p_said_at,
           p_media, p_media <> '[]', p_favourited, p_reposted
      FROM connections c WHERE c.id = p_connection
    ON CONFLICT ON CONSTRAINT timeline_posts_known_once DO UPDATE
       SET text = p_text, warning = p_warning, is_sensitive = p_sensitive, url = p_url, media = p_media, has_media = p_media <> '[]',
           favourited = p_favourited, reposted = p_reposted, author_id = p_author, read_at = now()
    RETURNING xmax = 0 INTO v_is_new;
    RETURN v_is_new;
END $$;
