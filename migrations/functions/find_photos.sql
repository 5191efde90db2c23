-- A page of an owner's photos, newest first, with an identifier below p_before, without those that are part of another's post. Null
-- leaves a filter out.
--
-- p_query: words, each of which is part of the caption or the alternative text. p_tag: a hashtag of the caption, without `#`.
-- p_state: as `photo_state`. p_service: of an account that the photo was sent or is to be sent to. p_since, p_until: when the photo
-- was taken, else created; the latter excluded.
--
-- Words are compared with the newest photos first, up to a number of them and of their bytes: what is frequent fills a page with
-- them. Further back the index of terms leads to what is rare. Statements are planned at each call, with what is asked for.
CREATE OR REPLACE FUNCTION find_photos(
    p_owner uuid, p_before uuid, p_limit int, p_query text, p_tag text, p_album text, p_state text, p_service text,
    p_visibility visibility, p_since timestamptz, p_until timestamptz
) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_newest CONSTANT int := 2000;
    v_newest_bytes CONSTANT int := 1000000;
    v_text CONSTANT text := $q$p.caption || E'\n' || p.alt_text$q$;
    v_photos CONSTANT text := ' FROM photos p WHERE p.owner_id = $1 AND p.deleted_at IS NULL AND p.part_of IS NULL';
    v_own CONSTANT text := 'SELECT p.id' || v_photos;
    v_page CONSTANT text := ' ORDER BY p.id DESC LIMIT $3';
    v_words text[] := regexp_split_to_array(trim(E' \t\r\n' FROM coalesce(fold_text(p_query), '')), '\s+');
    v_terms text[];
    v_patterns text[];
    v_accounts uuid[];
    v_before text := '';
    v_filter text := '';
    v_last uuid;
    v_found uuid[];
BEGIN
    IF p_tag IS NOT NULL THEN
        -- The tag holds letters, digits, marks and _ alone.
        v_filter := v_filter || $q$ AND fold_text(p.caption) COLLATE "und-x-icu" ~ ('(^|[^[:alnum:]_&/])#' || fold_text($6) || '($|[^[:alnum:]_])')$q$;
    END IF;
    IF p_album IS NOT NULL THEN v_filter := v_filter || ' AND p.album = $7'; END IF;
    IF p_visibility IS NOT NULL THEN v_filter := v_filter || format(' AND p.visibility = %L', p_visibility); END IF;
    IF p_since IS NOT NULL THEN v_filter := v_filter || ' AND coalesce(p.taken_at, p.created_at) >= $8'; END IF;
    IF p_until IS NOT NULL THEN v_filter := v_filter || ' AND coalesce(p.taken_at, p.created_at) < $9'; END IF;
    IF p_service IS NOT NULL THEN
        v_accounts := ARRAY(SELECT id FROM connections WHERE owner_id = p_owner AND service = p_service);
        v_filter := v_filter || ' AND p.id IN (SELECT s.photo_id FROM submissions s
                                                WHERE s.connection_id = ANY ($10) AND s.state <> ''cancelled'')';
    END IF;
    IF p_state IN ('sent', 'stored') THEN
        v_filter := v_filter || ' AND photo_state(p.id) = $11';
    ELSIF p_state IS NOT NULL THEN
        -- Few are open or unpublished at a time, and those have indexes.
        v_filter := v_filter || ' AND photo_state(p.id) = $11 AND p.id = ANY (ARRAY(
            SELECT s.photo_id FROM connections c JOIN submissions s ON s.connection_id = c.id
             WHERE c.owner_id = $1 AND s.state NOT IN (''done'', ''cancelled'')
             UNION SELECT o.id FROM photos o WHERE o.owner_id = $1 AND o.planned_visibility IS NOT NULL))';
    END IF;
    IF p_before IS NOT NULL THEN v_before := ' AND p.id < $2'; END IF;
    v_words := array_remove(v_words, '') || CASE WHEN p_tag IS NOT NULL THEN ARRAY['#' || fold_text(p_tag)] END;
    IF v_words <> '{}' THEN
        v_terms := search_terms(p_owner, array_to_string(v_words, ' '));
        v_patterns := ARRAY(SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' FROM unnest(v_words) word);
        v_filter := v_filter || format(' AND fold_text(%s) LIKE ALL ($5)', v_text);
        -- Folding a text is what costs; its size is told without reading it.
        EXECUTE format(
            'SELECT id FROM (SELECT id, row_number() OVER newest AS n, sum(bytes) OVER newest AS bytes
                               FROM (SELECT p.id, octet_length(p.caption) + octet_length(p.alt_text) AS bytes %1$s
                                      ORDER BY p.id DESC LIMIT %2$s) p
                             WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)) read
              WHERE n = %2$s OR bytes > %3$s ORDER BY id DESC LIMIT 1',
            v_photos || v_before, v_newest, v_newest_bytes)
            INTO v_last USING p_owner, p_before;
        -- The limit makes PostgreSQL read them by identifier.
        EXECUTE 'SELECT ARRAY(SELECT p.id FROM (SELECT p.*' || v_photos || v_before
                || CASE WHEN v_last IS NULL THEN '' ELSE ' AND p.id >= $12' END
                || format(' ORDER BY p.id DESC LIMIT %s) p WHERE true', v_newest) || v_filter || v_page || ')'
            INTO v_found
            USING p_owner, p_before, p_limit, v_terms, v_patterns, p_tag, p_album, p_since, p_until, v_accounts, p_state,
                  v_last;
        RETURN QUERY SELECT unnest(v_found);
        p_limit := p_limit - cardinality(v_found);
        IF v_last IS NULL OR p_limit <= 0 THEN RETURN; END IF;
        p_before := v_last;
        v_before := ' AND p.id < $2';
        v_filter := v_filter || format(' AND search_terms(p.owner_id, %s) @> $4', v_text);
    END IF;
    RETURN QUERY EXECUTE v_own || v_before || v_filter || v_page
        USING p_owner, p_before, p_limit, v_terms, v_patterns, p_tag, p_album, p_since, p_until, v_accounts, p_state;
END $$;
