-- A problem as `{"code", "parameters", "text"}`, from what a program hands over or from two columns. Programs hand over this very
-- JSON as text; release 0.1.0 a sentence, which is then the text alone, without a code. So is a text in the column `problem` that is not
-- the one its code was written with. Null: no problem.
CREATE OR REPLACE FUNCTION read_problem(p_problem text, p_coded jsonb DEFAULT NULL) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_problem LIKE '{%' THEN p_problem::jsonb
                WHEN p_coded ->> 'text' = p_problem THEN p_coded
                WHEN p_problem IS NOT NULL THEN jsonb_build_object('text', p_problem) END
$$;
