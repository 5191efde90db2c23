-- Keeps somebody as they are now at a source, as `p_told_by` tells; their identifier.
CREATE OR REPLACE FUNCTION keep_author(
    p_id uuid, p_source text, p_told_by text, p_key text, p_name text, p_handle text, p_url text, p_picture_url text
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE v_author uuid;
BEGIN
    INSERT INTO response_authors AS a (id, source, told_by, key, name, handle, url, picture_url, picture_due_at)
    VALUES (p_id, p_source, p_told_by, p_key, p_name, p_handle, p_url, p_picture_url, CASE WHEN p_picture_url IS NOT NULL THEN now() END)
    ON CONFLICT ON CONSTRAINT response_authors_known_once DO UPDATE
       SET name = p_name, handle = p_handle, url = p_url, picture_url = p_picture_url,
           picture_failures = CASE WHEN a.picture_url IS DISTINCT FROM p_picture_url THEN 0 ELSE a.picture_failures END,
           picture_due_at = CASE WHEN p_picture_url IS NULL THEN NULL
                                 WHEN a.picture_url IS DISTINCT FROM p_picture_url THEN now()
                                 ELSE a.picture_due_at END,
           picture = CASE WHEN p_picture_url IS NOT NULL THEN a.picture END,
           picture_version = CASE WHEN p_picture_url IS NOT NULL THEN a.picture_version END
     WHERE (a.name, a.handle, a.url, a.picture_url) IS DISTINCT FROM (p_name, p_handle, p_url, p_picture_url)
    RETURNING id INTO v_author;
    IF v_author IS NULL THEN
        SELECT id INTO v_author FROM response_authors WHERE source = p_source AND told_by = p_told_by AND key = p_key;
    END IF;
    RETURN v_author;
END $$;
