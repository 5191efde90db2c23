-- The terms by which a text of an owner is found: each character, each two characters side by side, and the owner. Words of any
-- script are found by any part of them, also by one character. Spaces are in no term. A term may be there more than once.
--
-- The body folds as `fold_text` does, without its name, and calls nothing else of this schema: an index of this is made without a
-- search_path by PostgreSQL 17 and later, and by what restores a dump of pg_dump on any version. In PL/pgSQL, since PostgreSQL
-- before 18 plans a function in SQL anew for each statement that adds a photo.
CREATE OR REPLACE FUNCTION search_terms(p_owner uuid, p_text text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
    v_folded text := coalesce(lower(normalize(p_text, NFKC) COLLATE "und-x-icu"), '');
    v_terms text[] := ARRAY[p_owner::text];
    v_word text;
    v_character text;
    v_previous text;
BEGIN
    FOREACH v_word IN ARRAY regexp_split_to_array(v_folded, '\s+') LOOP
        v_previous := NULL;
        FOREACH v_character IN ARRAY string_to_array(v_word, NULL) LOOP
            v_terms := v_terms || v_character;
            IF v_previous IS NOT NULL THEN v_terms := v_terms || (v_previous || v_character); END IF;
            v_previous := v_character;
        END LOOP;
    END LOOP;
    RETURN v_terms;
END $$;
