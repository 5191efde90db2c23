-- Marks that an upload has become this photo; it becomes only one. The photo has what was said of the upload, unless its own words say more.
CREATE OR REPLACE FUNCTION use_upload(upload uuid, photo uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE uploads SET photo_id = photo WHERE id = upload AND state = 'complete' AND photo_id IS NULL;
    IF NOT FOUND THEN
        RAISE unique_violation USING MESSAGE = 'the upload is a photo already', CONSTRAINT = 'uploads_used_once';
    END IF;
    UPDATE photos p
       SET alt_text = CASE p.alt_text WHEN '' THEN u.alt_text ELSE p.alt_text END,
           focus_x = u.focus_x, focus_y = u.focus_y
      FROM uploads u
     WHERE p.id = photo AND u.id = upload AND (u.alt_text <> '' OR u.focus_x IS NOT NULL);
END
$$;
