-- What a photo counts: its file, and what its words have beyond 4 KiB four times, since plans and kept answers repeat them.
CREATE OR REPLACE FUNCTION counted_bytes(file bigint, caption text, alt_text text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT file + 4 * greatest(0, octet_length(caption) + octet_length(alt_text) - 4096)
$$;
