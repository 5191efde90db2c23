-- A problem that a function finds, as `read_problem` tells it. p_cause: the problem of the last attempt, whose parameters stay, where
-- attempts have come to their bound.
--
-- The texts are for release 0.1.0, which shows the column `problem`; today's programs have words of their own for each code. This
-- function holds all the prose that SQL still has; it goes with that column.
CREATE OR REPLACE FUNCTION make_problem(p_code text, p_reason text DEFAULT NULL, p_cause jsonb DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'code', p_code,
        'parameters', coalesce(p_cause -> 'parameters', '{}'::jsonb) - 'until'::text || jsonb_strip_nulls(jsonb_build_object(
            'reason', p_reason, 'cause', p_cause ->> 'code',
            'words', CASE WHEN p_cause ->> 'code' IS NULL THEN p_cause ->> 'text' END)),
        'text', CASE p_code || coalesce(' ' || p_reason, '')
            WHEN 'interrupted' THEN 'The program that worked on it stopped.'
            WHEN 'account_paused' THEN 'The account is paused.'
            WHEN 'account_disconnected publish' THEN 'The account was disconnected.'
            WHEN 'account_disconnected edit' THEN 'The account was disconnected; the post stays as it is.'
            WHEN 'outcome_unknown disconnected'
            THEN 'The account was disconnected before it was clear whether this was posted.'
            WHEN 'outcome_unknown attempts_exhausted'
            THEN coalesce(p_cause ->> 'text', 'It could not be finished.')
                 || ' Tried until the limit was reached; it may have been published.'
            WHEN 'attempts_exhausted delete'
            THEN coalesce(p_cause ->> 'text', 'It could not be taken back.') || ' Tried until the limit was reached.'
            WHEN 'attempts_exhausted edit'
            THEN coalesce(p_cause ->> 'text', 'It could not be changed.') || ' Tried until the limit was reached.'
            WHEN 'attempts_exhausted publish'
            THEN coalesce(p_cause ->> 'text', 'It could not be published.') || ' Tried until the limit was reached.'
            ELSE p_code END)
$$;
