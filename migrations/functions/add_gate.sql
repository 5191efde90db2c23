-- A gate for each name that lanes have.
CREATE OR REPLACE FUNCTION add_gate(p_gate text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO gates (name) VALUES (p_gate) ON CONFLICT DO NOTHING
$$;
