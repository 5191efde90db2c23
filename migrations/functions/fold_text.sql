-- A text without case and without differences of form (NFKC), as searches compare it. `search_terms` repeats the expression, and an index
-- holds what it gives: both are changed together, and a migration builds that index anew.
CREATE OR REPLACE FUNCTION fold_text(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(normalize(p_text, NFKC) COLLATE "und-x-icu")
$$;
