-- A problem is a code with parameters: `{"code", "parameters", "text"}` (docs/problems.md). The column `problem` beside it holds the
-- English text, which release 0.1.0 reads and writes; it goes a release later. The code counts while its `text` is that of `problem`:
-- where 0.1.0 has written `problem` alone, there is no code.

ALTER TABLE submissions ADD COLUMN coded_problem jsonb;
ALTER TABLE attempts ADD COLUMN coded_problem jsonb;
ALTER TABLE connections ADD COLUMN coded_problem jsonb;
ALTER TABLE gates ADD COLUMN coded_problem jsonb;
ALTER TABLE authorizations ADD COLUMN coded_problem jsonb;
