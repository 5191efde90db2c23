-- What was begun goes on before what is newer, and resume and retry take effect at once.
--
-- A job that is given back gets the priority -1: it goes before all that has not been begun in its lane, as soon as it is
-- due. So a post whose outcome is open is looked up before anything newer is posted, also when its worker died, and a
-- post that failed once is not posted behind the whole backlog. One that fails again and again costs its lane one try
-- each time, and the pauses between them grow.

ALTER TABLE jobs
    DROP CONSTRAINT jobs_priority_known,
    ADD CONSTRAINT jobs_priority_known CHECK (priority BETWEEN -1 AND 1); -- -1: begun before
UPDATE jobs SET priority = -1 WHERE state = 'ready' AND (attempt > 0 OR effect = 'armed');
