-- The terms by which a text of an owner is found: each character, each two characters side by side, and the owner. Words of any
-- script are found by any part of them, also by one character. Spaces are in no term.
--
-- The body is parsed when it is made and holds `fold_text` itself, not its name: an index of this is made without a search_path by
-- PostgreSQL 17 and later, and by what restores a dump of pg_dump on any version.
CREATE OR REPLACE FUNCTION search_terms(p_owner uuid, p_text text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    WITH characters AS (
        SELECT c, lead(c) OVER (ORDER BY n) AS following
          FROM string_to_table(fold_text(p_text), NULL) WITH ORDINALITY AS t(c, n)
    )
    SELECT array_agg(term) FROM (
        SELECT p_owner::text AS term
        UNION SELECT c FROM characters WHERE c !~ '\s'
        UNION SELECT c || following FROM characters WHERE c !~ '\s' AND following !~ '\s'
    ) terms;
END;
