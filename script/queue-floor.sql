-- What PostgreSQL alone takes for the life of a hundred jobs, with nothing kept: insert, claim, end. For pgbench, which runs it
-- after script/measure-queue has made the table.
INSERT INTO floor_jobs (payload) SELECT 'x' FROM generate_series(1, 100);
UPDATE floor_jobs j SET state = 'running', worker = :client_id
  FROM (SELECT id FROM floor_jobs WHERE state = 'ready' ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED) due
 WHERE j.id = due.id;
DELETE FROM floor_jobs WHERE id = ANY (ARRAY(SELECT id FROM floor_jobs WHERE state = 'running' AND worker = :client_id));
