-- Takes back likes of a user who has left, a few at a time. Returns how many.
CREATE OR REPLACE FUNCTION forget_likes(p_user uuid, p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    WITH gone AS (
        DELETE FROM likes WHERE (photo_id, user_id) IN
            (SELECT photo_id, user_id FROM likes WHERE user_id = p_user ORDER BY photo_id LIMIT p_limit)
        RETURNING photo_id
    ), counted AS (
        UPDATE photos SET like_count = greatest(like_count - 1, 0) FROM gone WHERE photos.id = gone.photo_id
        RETURNING photos.id
    )
    SELECT count(*) INTO v_count FROM gone;
    RETURN v_count;
END $$;
