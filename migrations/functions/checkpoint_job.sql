-- Records a step of the journal (a member that is null forgets its key) in its form's version, or arms the effect, or
-- both, and extends the lease.
-- Null: the lease was lost; true: cancel was asked for, and the effect was not armed.
-- Not in SQL: such a function would be parsed and planned at each call.
CREATE OR REPLACE FUNCTION checkpoint_job(
    p_job bigint, p_lease_no int, p_journal jsonb, p_version smallint, p_arm boolean, p_lease interval
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_is_cancelled boolean;
BEGIN
    UPDATE jobs
       SET lease_until = now() + p_lease, journal_version = p_version,
           journal = (journal || p_journal) - ARRAY(SELECT key FROM jsonb_each(p_journal) WHERE value = 'null'),
           effect = CASE WHEN p_arm AND cancel_at IS NULL THEN 'armed' ELSE effect END
     WHERE id = p_job AND lease_no = p_lease_no AND state = 'running'
    RETURNING cancel_at IS NOT NULL INTO v_is_cancelled;
    RETURN v_is_cancelled;
END $$;
