-- A text without case and without differences of form (NFKC), as searches compare it. The index of `search_terms` holds what
-- this gives: with a change of either function a migration builds that index anew.
CREATE OR REPLACE FUNCTION fold_text(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(normalize(p_text, NFKC) COLLATE "und-x-icu")
$$;
